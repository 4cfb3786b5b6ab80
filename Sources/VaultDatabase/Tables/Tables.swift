/// Every statement that a connection keeps, by table.
struct Tables {
  let transactions = Transactions()
  let settings = Settings()
  let head = HeadTable()
  let slots = SlotTable()
  let groups = GroupTable()
  let pages = PageTable()
  let claims = ClaimTable()
  let boxes = BoxTable()
}
