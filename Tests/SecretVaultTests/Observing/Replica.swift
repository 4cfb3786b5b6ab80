import SecretVault

/// What a reader of the events knows of the items, by the names that a rename keeps.
struct Replica: Equatable {
  struct Entry: Equatable {
    var identity: ItemIdentity?
    var version: UInt64
  }

  private(set) var entries: [String: Entry] = [:]

  init() {}

  /// What a listing says.
  init(_ store: SecretStore) throws {
    for item in try store.items().items {
      entries[item.itemID] = Entry(identity: item.identity, version: item.version)
    }
  }

  /// What is in one and not in the other, in words.
  func differences(from other: Replica) -> [String] {
    let names = Set(entries.keys).union(other.entries.keys)
    return names.filter { entries[$0] != other.entries[$0] }.map { name in
      "\(text(name)) here, \(other.text(name)) there"
    }
  }

  private func text(_ itemID: String) -> String {
    guard let entry = entries[itemID] else { return "nothing" }
    let service = entry.identity.map { String(decoding: $0.service.bytes, as: UTF8.self) } ?? "?"
    return "\(service) of version \(entry.version)"
  }

  /// Follows an event; where more changed than it tells, reads all again.
  mutating func apply(_ event: VaultEvent, of store: SecretStore) throws {
    switch event.kind {
    case .itemSet, .itemRenamed:
      guard let item = event.item else { return }
      entries[item.itemID] = Entry(identity: item.identity, version: item.version)
    case .itemRemoved: entries[event.item?.itemID ?? ""] = nil
    case .anythingMayHaveChanged: self = try Replica(store)
    default: break
    }
  }
}

extension VaultEvents.Iterator {
  /// The next events, as many as asked for.
  mutating func next(_ count: Int) async -> [VaultEvent] {
    var events: [VaultEvent] = []
    while events.count < count, let event = await next() { events.append(event) }
    return events
  }

  /// The events up to the one that sets an item of a service.
  mutating func events(through service: String) async -> [VaultEvent] {
    var events: [VaultEvent] = []
    while let event = await next() {
      events.append(event)
      if event.item?.identity?.service == AttributeValue(service) { break }
    }
    return events
  }
}

extension VaultEvent {
  /// The service of the item, or "?" where it is not named.
  var service: String {
    item?.identity.map { String(decoding: $0.service.bytes, as: UTF8.self) } ?? "?"
  }

  /// Kind and service in short.
  var text: String { item == nil ? "\(kind)" : "\(kind) \(service)" }
}
