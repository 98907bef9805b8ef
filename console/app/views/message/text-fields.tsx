import type { DraftFields, MessageKind } from "#console/contract/messages.ts";

interface TextFieldsProps {
  kind: MessageKind;
  subject: string;
  body: string;
  onChange: (changes: Partial<DraftFields>) => void;
}

export function TextFields({ kind, subject, body, onChange }: TextFieldsProps) {
  const names = ["firstName", "lastName", "company", "email", ...(kind === "invitation" ? ["inviteUrl"] : [])];
  return (
    <fieldset className="fields">
      <legend>Text</legend>
      <label className="wide-field">
        <span>Subject</span>
        <input
          type="text"
          dir="auto"
          required
          maxLength={200}
          value={subject}
          onChange={({ target }) => onChange({ subject: target.value })}
        />
      </label>
      <label className="wide-field">
        <span>Body, in Markdown</span>
        <textarea
          dir="auto"
          required
          rows={14}
          maxLength={20_000}
          aria-describedby="placeholders"
          value={body}
          onChange={({ target }) => onChange({ body: target.value })}
        />
      </label>
      <p id="placeholders" className="quiet wide-field">
        Filled in for each person:{" "}
        {names.map((name, index) => (
          <span key={name}>
            {index > 0 && ", "}
            <code>{`{{${name}}}`}</code>
          </span>
        ))}
      </p>
    </fieldset>
  );
}
