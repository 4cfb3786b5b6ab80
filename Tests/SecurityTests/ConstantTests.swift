import Security
import Testing

/// The strings of the constants: they are in the dictionaries that clients keep and send.
@Suite("Constants")
struct ConstantTests {
  @Test("the class key and its values have Apple's strings")
  func classes() {
    let strings: [(constant: CFString, string: String)] = [
      (kSecClass, "class"),
      (kSecClassGenericPassword, "genp"),
      (kSecClassInternetPassword, "inet"),
      (kSecClassCertificate, "cert"),
      (kSecClassKey, "keys"),
      (kSecClassIdentity, "idnt"),
    ]
    for (constant, string) in strings { #expect(constant as String == string) }
  }

  @Test("the match keys have Apple's strings")
  func matching() {
    let strings: [(constant: CFString, string: String)] = [
      (kSecMatchLimit, "m_Limit"),
      (kSecMatchLimitOne, "m_LimitOne"),
      (kSecMatchLimitAll, "m_LimitAll"),
      (kSecMatchCaseInsensitive, "m_CaseInsensitive"),
      (kSecMatchItemList, "m_ItemList"),
      (kSecMatchSearchList, "m_SearchList"),
      (kSecMatchPolicy, "m_Policy"),
      (kSecMatchIssuers, "m_Issuers"),
      (kSecMatchEmailAddressIfPresent, "m_EmailAddressIfPresent"),
      (kSecMatchSubjectContains, "m_SubjectContains"),
      (kSecMatchTrustedOnly, "m_TrustedOnly"),
      (kSecMatchValidOnDate, "m_ValidOnDate"),
    ]
    for (constant, string) in strings { #expect(constant as String == string) }
  }

  @Test("the return and value keys have Apple's strings")
  func returning() {
    let strings: [(constant: CFString, string: String)] = [
      (kSecReturnData, "r_Data"),
      (kSecReturnAttributes, "r_Attributes"),
      (kSecReturnRef, "r_Ref"),
      (kSecReturnPersistentRef, "r_PersistentRef"),
      (kSecValueData, "v_Data"),
      (kSecValueRef, "v_Ref"),
      (kSecValuePersistentRef, "v_PersistentRef"),
    ]
    for (constant, string) in strings { #expect(constant as String == string) }
  }

  @Test("the use keys and their values have Apple's strings")
  func use() {
    let strings: [(constant: CFString, string: String)] = [
      (kSecUseOperationPrompt, "u_OpPrompt"),
      (kSecUseNoAuthenticationUI, "u_NoAuthUI"),
      (kSecUseAuthenticationUI, "u_AuthUI"),
      (kSecUseAuthenticationUIAllow, "u_AuthUIA"),
      (kSecUseAuthenticationUIFail, "u_AuthUIF"),
      (kSecUseAuthenticationUISkip, "u_AuthUIS"),
      (kSecUseAuthenticationContext, "u_AuthCtx"),
      (kSecUseItemList, "u_ItemList"),
      (kSecUseDataProtectionKeychain, "nleg"),
    ]
    for (constant, string) in strings { #expect(constant as String == string) }
  }

  @Test("the accessibility classes have Apple's strings")
  func accessibility() {
    let strings: [(constant: CFString, string: String)] = [
      (kSecAttrAccessibleWhenUnlocked, "ak"),
      (kSecAttrAccessibleAfterFirstUnlock, "ck"),
      (kSecAttrAccessibleAlways, "dk"),
      (kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, "akpu"),
      (kSecAttrAccessibleWhenUnlockedThisDeviceOnly, "aku"),
      (kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, "cku"),
      (kSecAttrAccessibleAlwaysThisDeviceOnly, "dku"),
    ]
    for (constant, string) in strings { #expect(constant as String == string) }
  }

  @Test("the protocols have Apple's strings, spaces included")
  func protocols() {
    let strings: [(constant: CFString, string: String)] = [
      (kSecAttrProtocolFTP, "ftp "),
      (kSecAttrProtocolFTPAccount, "ftpa"),
      (kSecAttrProtocolHTTP, "http"),
      (kSecAttrProtocolIRC, "irc "),
      (kSecAttrProtocolNNTP, "nntp"),
      (kSecAttrProtocolPOP3, "pop3"),
      (kSecAttrProtocolSMTP, "smtp"),
      (kSecAttrProtocolSOCKS, "sox "),
      (kSecAttrProtocolIMAP, "imap"),
      (kSecAttrProtocolLDAP, "ldap"),
      (kSecAttrProtocolAppleTalk, "atlk"),
      (kSecAttrProtocolAFP, "afp "),
      (kSecAttrProtocolTelnet, "teln"),
      (kSecAttrProtocolSSH, "ssh "),
      (kSecAttrProtocolFTPS, "ftps"),
      (kSecAttrProtocolHTTPS, "htps"),
      (kSecAttrProtocolHTTPProxy, "htpx"),
      (kSecAttrProtocolHTTPSProxy, "htsx"),
      (kSecAttrProtocolFTPProxy, "ftpx"),
      (kSecAttrProtocolSMB, "smb "),
      (kSecAttrProtocolRTSP, "rtsp"),
      (kSecAttrProtocolRTSPProxy, "rtsx"),
      (kSecAttrProtocolDAAP, "daap"),
      (kSecAttrProtocolEPPC, "eppc"),
      (kSecAttrProtocolIPP, "ipp "),
      (kSecAttrProtocolNNTPS, "ntps"),
      (kSecAttrProtocolLDAPS, "ldps"),
      (kSecAttrProtocolTelnetS, "tels"),
      (kSecAttrProtocolIMAPS, "imps"),
      (kSecAttrProtocolIRCS, "ircs"),
      (kSecAttrProtocolPOP3S, "pops"),
    ]
    for (constant, string) in strings { #expect(constant as String == string) }
  }

  @Test("the authentication types have Apple's strings")
  func authenticationTypes() {
    let strings: [(constant: CFString, string: String)] = [
      (kSecAttrAuthenticationTypeNTLM, "ntlm"),
      (kSecAttrAuthenticationTypeMSN, "msna"),
      (kSecAttrAuthenticationTypeDPA, "dpaa"),
      (kSecAttrAuthenticationTypeRPA, "rpaa"),
      (kSecAttrAuthenticationTypeHTTPBasic, "http"),
      (kSecAttrAuthenticationTypeHTTPDigest, "httd"),
      (kSecAttrAuthenticationTypeHTMLForm, "form"),
      (kSecAttrAuthenticationTypeDefault, "dflt"),
    ]
    for (constant, string) in strings { #expect(constant as String == string) }
  }

  @Test("the single values have Apple's strings")
  func others() {
    let strings: [(constant: CFString, string: String)] = [
      (kSecAttrSynchronizableAny, "syna"),
      (kSecAttrAccessGroupToken, "com.apple.token"),
      (kSecAttrTokenIDSecureEnclave, "com.apple.setoken"),
      (kSecSharedPassword, "spwd"),
    ]
    for (constant, string) in strings { #expect(constant as String == string) }
  }

  @Test("the attributes have Apple's strings")
  func attributes() {
    let strings: [(constant: CFString, string: String)] = [
      (kSecAttrAccount, "acct"),
      (kSecAttrService, "svce"),
      (kSecAttrAccessGroup, "agrp"),
      (kSecAttrSynchronizable, "sync"),
      (kSecAttrAccessible, "pdmn"),
      (kSecAttrAccessControl, "accc"),
      (kSecAttrLabel, "labl"),
      (kSecAttrDescription, "desc"),
      (kSecAttrComment, "icmt"),
      (kSecAttrGeneric, "gena"),
      (kSecAttrCreator, "crtr"),
      (kSecAttrType, "type"),
      (kSecAttrIsInvisible, "invi"),
      (kSecAttrIsNegative, "nega"),
      (kSecAttrAlias, "alis"),
      (kSecAttrCreationDate, "cdat"),
      (kSecAttrModificationDate, "mdat"),
      (kSecAttrSecurityDomain, "sdmn"),
      (kSecAttrServer, "srvr"),
      (kSecAttrProtocol, "ptcl"),
      (kSecAttrAuthenticationType, "atyp"),
      (kSecAttrPort, "port"),
      (kSecAttrPath, "path"),
      (kSecAttrTokenID, "tkid"),
    ]
    for (constant, string) in strings { #expect(constant as String == string) }
  }
}
