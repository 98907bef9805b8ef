/** A column definition list for json_to_recordset: "email text, newsletter boolean". */
export function columnDefinitions(columns: Record<string, string>): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(", ");
}
