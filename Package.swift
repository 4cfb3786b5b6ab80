// swift-tools-version: 6.2
import PackageDescription

let house: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "SecretVault",
  products: [
    .library(name: "SecretVault", targets: ["SecretVault"]),
    .library(name: "VaultAgent", targets: ["VaultAgent"]),
    .library(name: "Security", targets: ["Security"]),
    .executable(name: "secretvault", targets: ["secretvault"]),
  ],
  targets: [
    // Floor 0: the system.
    .systemLibrary(name: "COpenSSL"),
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CLinux"),
    // Floor 1: the ground knows nothing of the house.
    .target(name: "SecretMemory", dependencies: ["COpenSSL", "CLinux"], swiftSettings: house),
    .target(name: "VaultFormat", swiftSettings: house),
    // Floor 2.
    .target(
      name: "VaultCrypto",
      dependencies: ["COpenSSL", "CLinux", "SecretMemory"],
      swiftSettings: house
    ),
    .target(name: "VaultDatabase", dependencies: ["CSQLite"], swiftSettings: house),
    // Floor 3: the public library, the only meeting place.
    .target(
      name: "SecretVault",
      dependencies: ["SecretMemory", "VaultFormat", "VaultCrypto", "VaultDatabase", "CLinux"],
      swiftSettings: house
    ),
    // Floor 4: the process that holds the keys, and what talks to it.
    .target(
      name: "VaultAgent",
      dependencies: ["SecretVault", "SecretMemory", "CLinux"],
      swiftSettings: house
    ),
    // Floor 4 as well: Apple's keychain calls over the library.
    .target(name: "Security", dependencies: ["SecretVault"], swiftSettings: house),
    // Floor 5: the tool.
    .executableTarget(
      name: "secretvault",
      dependencies: ["SecretVault", "VaultAgent", "CLinux"],
      swiftSettings: house
    ),
    // Tests: one folder per target.
    .target(
      name: "TestSupport",
      dependencies: ["CSQLite"],
      path: "Tests/TestSupport",
      swiftSettings: house
    ),
    .testTarget(name: "HouseTests", swiftSettings: house),
    .testTarget(
      name: "SecretMemoryTests",
      dependencies: ["SecretMemory", "TestSupport", "COpenSSL"],
      swiftSettings: house
    ),
    .testTarget(name: "VaultFormatTests", dependencies: ["VaultFormat"], swiftSettings: house),
    .testTarget(
      name: "VaultCryptoTests",
      dependencies: ["VaultCrypto", "SecretMemory", "TestSupport", "COpenSSL"],
      swiftSettings: house
    ),
    .testTarget(
      name: "VaultDatabaseTests",
      dependencies: ["VaultDatabase", "CSQLite", "TestSupport"],
      swiftSettings: house
    ),
    .testTarget(
      name: "SecretVaultTests",
      dependencies: [
        "SecretVault", "SecretMemory", "VaultFormat", "VaultCrypto", "VaultDatabase", "CSQLite",
        "CLinux", "COpenSSL", "TestSupport",
      ],
      exclude: ["Fixtures"],
      swiftSettings: house
    ),
    .testTarget(
      name: "SecurityTests",
      dependencies: ["Security", "SecretVault", "TestSupport"],
      swiftSettings: house
    ),
    .testTarget(
      name: "VaultAgentTests",
      dependencies: [
        "VaultAgent", "SecretVault", "SecretMemory", "VaultFormat", "VaultCrypto", "VaultDatabase",
        "CLinux", "COpenSSL", "TestSupport", "AgentWorker",
      ],
      swiftSettings: house
    ),
    // An agent, and its clients, as processes of their own.
    .executableTarget(
      name: "AgentWorker",
      dependencies: ["VaultAgent", "SecretVault"],
      path: "Tests/AgentWorker",
      swiftSettings: house
    ),
    .testTarget(
      name: "secretvaultTests",
      dependencies: ["TestSupport", "secretvault", "VaultWorker", "VaultAgent", "SecretVault"],
      exclude: ["Snapshots"],
      swiftSettings: house
    ),
    // A program that the process tests start, kill and watch.
    .executableTarget(
      name: "VaultWorker",
      dependencies: ["SecretVault", "VaultAgent"],
      path: "Tests/VaultWorker",
      swiftSettings: house
    ),
    // Storage that fails under SQLite when a test says so.
    .target(name: "FaultyStorage", dependencies: ["CSQLite"], path: "Tests/FaultyStorage"),
    .testTarget(
      name: "ProcessTests",
      dependencies: [
        "SecretVault", "VaultCrypto", "VaultDatabase", "VaultFormat", "TestSupport", "secretvault",
        "VaultWorker", "CSQLite", "FaultyStorage",
      ],
      swiftSettings: house
    ),
  ]
)

// Measures the library against its floor; outside of every product, and left out of ordinary builds.
if Context.environment["SECRETVAULT_BENCHMARK"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Benchmark",
      dependencies: ["SecretVault", "Security", "COpenSSL", "CSQLite"],
      swiftSettings: house
    )
  )
}
