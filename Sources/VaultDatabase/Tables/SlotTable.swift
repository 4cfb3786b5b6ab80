struct SlotTable {
  /// One more than a vault may have, so that too many are noticed and no more are read.
  let readAll = Statement("SELECT slot_id, record, label FROM slot ORDER BY slot_id LIMIT 65")
  let put = Statement(
    """
    INSERT INTO slot (slot_id, record, label) VALUES (?1, ?2, ?3) \
    ON CONFLICT (slot_id) DO UPDATE SET record = excluded.record, label = excluded.label
    """
  )
  let delete = Statement("DELETE FROM slot WHERE slot_id = ?1")
}

extension SQLiteConnection {
  func slots() throws(DatabaseError) -> [SlotRow] {
    let reading = try start(tables.slots.readAll)
    var slots: [SlotRow] = []
    while try reading.step() {
      slots.append(
        SlotRow(
          id: try reading.fixedBytes(0),
          record: try reading.bytes(1, count: ColumnLimits.slotRecord),
          label: try reading.bytes(2, count: ColumnLimits.label)
        )
      )
    }
    return slots
  }

  func putSlot(_ slot: SlotRow) throws(DatabaseError) {
    let change = try startChange(tables.slots.put)
    try change.bind(1, copied: slot.id.span, count: ColumnLimits.identifier)
    try change.bind(2, copied: slot.record.span, count: ColumnLimits.slotRecord)
    try change.bind(3, copied: slot.label.span, count: ColumnLimits.label)
    try change.run()
  }

  func deleteSlot(id: Span<UInt8>) throws(DatabaseError) {
    let change = try startChange(tables.slots.delete)
    try change.bind(1, lent: id, count: ColumnLimits.identifier)
    try change.run()
  }
}
