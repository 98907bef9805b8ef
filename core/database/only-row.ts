/** The row of a query that always returns one, such as a count. */
export function onlyRow<Row>({ rows }: { rows: Row[] }): Row {
  const [row] = rows;
  if (!row) throw new Error("The query returned no row");
  return row;
}
