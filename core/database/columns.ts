/** Columns with their types, as json_to_recordset wants them: "email text, newsletter boolean". */
export function columnDefinitions(columns: Record<string, string>): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(", ");
}
