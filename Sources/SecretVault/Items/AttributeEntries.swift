import VaultFormat

/// Attributes by ascending tag; an item has so few that a search along them is quickest.
struct AttributeEntries {
  private(set) var list: [(tag: AttributeTag, bytes: [UInt8])] = []

  subscript(tag: AttributeTag) -> [UInt8]? {
    get { list.first { $0.tag == tag }?.bytes }
    set {
      let index = list.firstIndex { $0.tag >= tag } ?? list.count
      let isKnown = index < list.count && list[index].tag == tag
      switch (newValue, isKnown) {
      case (let bytes?, true): list[index].bytes = bytes
      case (let bytes?, false): list.insert((tag, bytes), at: index)
      case (nil, true): list.remove(at: index)
      case (nil, false): break
      }
    }
  }
}
