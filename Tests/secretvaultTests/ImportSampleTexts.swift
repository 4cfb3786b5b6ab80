/// What the files hold.
extension ImportSample {
  static let bitwardenText = #"""
    {
      "encrypted": false,
      "folders": [{"id": "f1", "name": "Work"}],
      "note": "nothing",
      "items": [
        {
          "id": "1", "folderId": "f1", "type": 1, "name": "GitHub", "notes": "two\nlines",
          "favorite": true, "reprompt": 0, "collectionIds": null,
          "fields": [
            {"name": "PIN", "value": "hunter-pin", "type": 1}, {"name": "gone", "value": null, "type": 3, "linkedId": 100}
          ],
          "login": {
            "uris": [{"match": null, "uri": "https://github.com:8443/login"}, {"uri": "https://gist.github.com/?a=b"}],
            "username": "alice", "password": "hunter1\u00e4\ud83d\ude00\/\"",
            "totp": "otpauth://totp/GitHub?secret=HUNTER", "fido2Credentials": [{"credentialId": "x"}]
          },
          "passwordHistory": [{"lastUsedDate": "2024-01-01T00:00:00.000Z", "password": "hunter0"}]
        },
        {"type": 1, "name": "No address", "login": {"uris": null, "username": null, "password": null, "totp": null}},
        {"type": 2, "name": "Diary", "notes": "hunter's note", "secureNote": {"type": 0}},
        {"type": 3, "name": "Visa", "notes": null, "card": {"number": "hunter4111", "code": "123", "brand": null}}
      ]
    }
    """# + "\n"

  static let keePassTable = """
    "Group","Title","Username","Password","URL","Notes","TOTP","Icon","Last Modified","Created"\r
    "Root","GitHub","alice","hunter1"\",","https://github.com/login","two
    lines","otpauth://totp/x?secret=HUNTER","0","2024-01-01T00:00:00Z","2024-01-01T00:00:00Z"\r
    "Root/Sub"," a/b\tÜ ","","hunter2","","","","0","2024-01-01T00:00:00Z","2024-01-01T00:00:00Z"\r
    "Root","../../x","bob","","","","","0","2024-01-01T00:00:00Z","2024-01-01T00:00:00Z"\r

    """

  static let onePasswordTable = """
    Password,Title,Notes,Username,URL,OTPAuth,Favorite,Archived,Tags,Recovery
    hunter1,GitHub,"a note, with a comma",alice,https://github.com,otpauth://totp/x?secret=HUNTER,false,false,work,
    "hunter""2",Bank,,bob,,,true,false,,hunter-codes

    """

  static let environmentText = """
    # comment

    API_KEY=hunter1
    export TOKEN=hunter = 2
    EMPTY=
    QUOTED="hunter3"

    """

  static let keePassDocument = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <KeePassFile>
      <Meta><Generator>KeePassXC</Generator><RecycleBinUUID>AA==</RecycleBinUUID></Meta>
      <Root>
        <Group>
          <Name>Root</Name>
          <!-- a comment -->
          <Entry>
            <UUID>abc=</UUID>
            <Times><LastModificationTime>2024-01-01T00:00:00Z</LastModificationTime></Times>
            <String><Key>Title</Key><Value>GitHub</Value></String>
            <String><Key>UserName</Key><Value>alice</Value></String>
            <String><Key>Notes</Key><Value>two\r\nlines</Value></String>
            <String><Key>Password</Key><Value ProtectInMemory="True">hunter1&lt;&amp;&#xE4;&#128512;<![CDATA[<&]]></Value></String>
            <String><Key>URL</Key><Value>https://github.com/login</Value></String>
            <String><Key>otp</Key><Value>otpauth://totp/x?secret=HUNTER</Value></String>
            <String><Key>PIN</Key><Value ProtectInMemory="True">hunter-pin</Value></String>
            <String><Key>Empty</Key><Value/></String>
            <Binary><Key>key.pem</Key><Value Ref="0"/></Binary>
            <History>
              <Entry><String><Key>Password</Key><Value>hunter0</Value></String></Entry>
            </History>
          </Entry>
          <Group>
            <Name>Sub</Name>
            <Entry>
              <String><Key>Title</Key><Value> a/b&#9;Ü </Value></String>
              <String><Key>Password</Key><Value></Value></String>
            </Entry>
          </Group>
        </Group>
        <DeletedObjects/>
      </Root>
    </KeePassFile>

    """

  static let jsonText = #"""
    {
      "version": 1,
      "locked": 0,
      "more": {"not": ["known", 1.5e-3, true, {}, []]},
      "items": [
        {
          "group": "default",
          "kind": "genericPassword",
          "service": "git",
          "account": {"encoding": "base64", "value": "/wA="},
          "accessibility": "afterFirstUnlock",
          "label": "Git", "generic": "7", "forms": {"generic": "number"},
          "created": "2024-01-02T03:04:05.678Z", "application": {"64": "app"},
          "secret": {"encoding": "utf8", "value": "hunter1\n"}
        },
        {"kind": "genericPassword", "service": "bytes", "secret": {"encoding": "base64", "value": "aHVudGVyAP8="}},
        {"kind": "genericPassword", "service": "empty", "secret": {"encoding": "utf8", "value": ""}},
        {"kind": "genericPassword", "service": "none", "synchronizable": true, "secret": null},
        {
          "kind": "internetPassword", "service": "example.com", "account": "alice", "protocol": "htps", "port": 443,
          "path": "/x", "secret": {"encoding": "utf8", "value": "hunter2"}
        }
      ]
    }
    """# + "\n"

  static let keychainText = #"""
    keychain: "/Users/alice/Library/Keychains/login.keychain-db"
    version: 512
    class: "genp"
    attributes:
        0x00000007 <blob>="My service"
        0x00000008 <blob>=<NULL>
        "acct"<blob>="alice"
        "cdat"<timedate>=0x32303234303130313030303030305A00  "20240101000000Z\000"
        "crtr"<uint32>="aapl"
        "desc"<blob>=<NULL>
        "gena"<blob>=<NULL>
        "icmt"<blob>="a remark"
        "invi"<sint32>=<NULL>
        "svce"<blob>=0x6D79C3BC  "my\303\274"
        "type"<uint32>=<NULL>
    data:
    "hunter1"
    keychain: "/Users/alice/Library/Keychains/login.keychain-db"
    version: 512
    class: "inet"
    attributes:
        0x00000007 <blob>="example.com"
        "acct"<blob>="say "hi""
        "path"<blob>="/login"
        "port"<uint32>=0x000001BB 
        "ptcl"<uint32>="htps"
        "srvr"<blob>="example.com"
    data:
    0x68756E746572000A  "hunter\000\012"
    keychain: "/Users/alice/Library/Keychains/login.keychain-db"
    version: 512
    class: 0x0000000F 
    attributes:
        0x00000001 <blob>="a key"
    keychain: "/Users/alice/Library/Keychains/login.keychain-db"
    version: 512
    class: "genp"
    attributes:
        "acct"<blob>="back\134slash"
        "svce"<blob>="empty"
    data:
    ""

    """#
}
