import { useRef } from "react";
import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import type { DraftFields, MessageKind } from "#console/contract/messages.ts";
import { MarkdownToolbar } from "./markdown-toolbar.tsx";

interface TextFieldsProps {
  kind: MessageKind;
  subject: string;
  body: string;
  onChange: (changes: Partial<DraftFields>) => void;
}

const PERSON = ["firstName", "lastName", "company", "email"];
const PLACEHOLDERS: Record<MessageKind, string[]> = {
  announcement: PERSON,
  invitation: [...PERSON, "inviteUrl"],
  confirmation: ["confirmUrl"],
  reminder: ["confirmUrl"],
};

export function TextFields({ kind, subject, body, onChange }: TextFieldsProps) {
  const names = PLACEHOLDERS[kind];
  const field = useRef<HTMLTextAreaElement>(null);
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
      <div className="field wide-field">
        <label htmlFor="body">Body, in Markdown</label>
        <MarkdownToolbar field={field} />
        <textarea
          ref={field}
          id="body"
          dir="auto"
          required
          rows={14}
          maxLength={20_000}
          aria-describedby="placeholders"
          value={body}
          onChange={({ target }) => onChange({ body: target.value })}
        />
      </div>
      <p id="placeholders" className="quiet wide-field">
        Filled in for each person:{" "}
        {names.map((name, index) => (
          <span key={name}>
            {index > 0 && ", "}
            <code>{`{{${name}}}`}</code>
          </span>
        ))}
      </p>
      <details className="wide-field">
        <summary>Markdown help</summary>
        <KeyValueList values={MARKDOWN_HELP} />
      </details>
    </fieldset>
  );
}

const MARKDOWN_HELP = {
  "[**Label**](https://…)": "A button, if it's a paragraph of its own",
  "[text](https://…)": "A link",
  "# Heading": "A heading; ## and ### for smaller ones",
  "**bold**, *italic*": "Bold, italic",
  "- item": "A list; 1. for a numbered one",
  "> text": "A quotation",
  "---": "A line across the email",
};
