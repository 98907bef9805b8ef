/** A field can break several rules; people see one message per field. */
export function firstErrors(errors: { field: string; message: string }[]): Map<string, string> {
  const messages = new Map<string, string>();
  for (const { field, message } of errors) if (!messages.has(field)) messages.set(field, message);
  return messages;
}
