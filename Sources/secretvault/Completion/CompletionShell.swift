/// A shell that completes command lines.
enum CompletionShell: String {
  case bash
  case zsh
  case fish

  /// The words after the tool's name in what the script sends, and how much of the last one the shell keeps.
  func words(_ fields: [String]) -> (words: [String], keptCount: Int)? {
    switch self {
    case .zsh, .fish: return (fields, 0)
    case .bash:
      guard let line = fields.first,
        let parsed = BashLine(line, wordBreaks: fields.count > 1 ? fields[1] : "")
      else { return nil }
      // Assignments can stand before the command.
      let words = parsed.words.drop { !$0.hasSuffix("secretvault") }.dropFirst()
      return words.isEmpty ? nil : (Array(words), parsed.keptCount)
    }
  }

  /// Whether the shell can take the word as a candidate: fish reads one in a line, and what follows a tab as
  /// its description.
  func canShow(_ word: String) -> Bool {
    self != .fish || !word.unicodeScalars.contains { "\t\r\n".unicodeScalars.contains($0) }
  }

  /// The script, which lets the shell quote each candidate and evaluates none.
  var script: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  private static let bashScript = #"""
    # bash completion for secretvault
    _secretvault() {
      local kind candidate
      COMPREPLY=()
      {
        IFS= read -r -d '' kind
        if [[ $kind == files ]]; then compopt -o default; fi
        while IFS= read -r -d '' candidate; do
          printf -v candidate %q "$candidate"
          COMPREPLY+=("$candidate")
        done
      } < <(printf '%s\0' "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" |
        command secretvault completion candidates bash 2>/dev/null)
    }
    complete -F _secretvault secretvault

    """#

  private static let zshScript = #"""
    #compdef secretvault
    _secretvault() {
      local -a answer
      answer=("${(@0)$(printf '%s\0' "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" |
        command secretvault completion candidates zsh 2>/dev/null)}")
      # A zero byte ends the last candidate, so one empty word is left over.
      answer[-1]=()
      case ${answer[1]} in
        files)
          [[ $PREFIX == --*=* ]] && compset -P '*='
          _files
          ;;
        words) compadd -- "${(@)answer[2,-1]}" ;;
      esac
    }
    if [[ ${funcstack[1]} == _secretvault ]]; then
      _secretvault "$@"
    else
      compdef _secretvault secretvault
    fi

    """#

  private static let fishScript = #"""
    # fish completion for secretvault
    function __secretvault_candidates
      set -l words (commandline -opc)
      set -l current (commandline -ct)
      set -l answer (string join0 -- $words[2..] (string unescape -- "$current"; or echo "$current") |
        command secretvault completion candidates fish 2>/dev/null | string split0)
      if test "$answer[1]" = files
        set -l option (string match -r -- '^--[^=]*=' "$current")
        for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current"))
          echo -- "$option$path"
        end
      else if set -q answer[2]
        printf '%s\n' $answer[2..]
      end
    end
    complete -c secretvault -f -a '(__secretvault_candidates)'

    """#
}
