import VaultCrypto
import VaultFormat

extension GroupInsider {
  /// The rev that a writer gives a claim with these random bytes: attributes, secret and history are in it.
  func rev(of item: RawItem, random: [UInt8], contents: [[UInt8]]) throws -> [UInt8] {
    var input = random + item.claim[Claim.boundRange]
    for content in contents { input.append(lengthPrefixed: content.span) }
    return try Array(expand(manifest, .rev, input)[..<24])
  }

  /// Signs the claims as they are in the file, as the group's next commit.
  func sign() throws {
    let scope = vaultID + groupID + epoch
    let pages = Dictionary(grouping: try raw.items(of: groupID), by: \.page)
    var branches: [Int64: (items: Int, entries: [UInt8])] = [:]
    try raw.execute("DELETE FROM page WHERE group_id = ?", [.blob(groupID)])
    for (number, items) in pages.sorted(by: { $0.key < $1.key }) {
      let head = bigEndian(number, 2) + bigEndian(Int64(items.count), 4)
      let tag = try expand(manifest, .pageTag, scope + head + items.flatMap(\.claim))
      try raw.execute(
        "INSERT INTO page VALUES (?, ?, ?, ?)",
        [.blob(groupID), .integer(number), .integer(Int64(items.count)), .blob(tag)]
      )
      branches[number >> 6, default: (0, [])].items += items.count
      branches[number >> 6, default: (0, [])].entries += head + tag
    }
    var table: [UInt8] = []
    for (number, branch) in branches.sorted(by: { $0.key < $1.key }) {
      let head = bigEndian(number, 2) + bigEndian(Int64(branch.items), 4)
      table += head + (try expand(manifest, .branchTag, scope + head + branch.entries))
    }
    try signManifest(scope: scope, items: branches.values.reduce(0) { $0 + $1.items }, table)
  }

  private func signManifest(scope: [UInt8], items: Int, _ branches: [UInt8]) throws {
    let row = try raw.execute(
      "SELECT counter, name, state FROM grp WHERE group_id = ?",
      [.blob(groupID)]
    )[0]
    let counter = row[0].integer + 1
    var covered = scope + bigEndian(counter, 8) + bigEndian(Int64(items), 8) + row[1].bytes[..<24]
    covered.append(lengthPrefixed: row[2].bytes.span)
    covered.append(lengthPrefixed: branches.span)
    try raw.execute(
      "UPDATE grp SET counter = ?, tag = ?, branches = ? WHERE group_id = ?",
      [
        .integer(counter), .blob(try expand(manifest, .manifestTag, covered)), .blob(branches),
        .blob(groupID),
      ]
    )
  }
}
