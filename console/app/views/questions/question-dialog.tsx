import { useState } from "react";
import { post } from "#console/app/http/request.ts";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import type { Question } from "#console/contract/people.ts";
import { MAX_CHOICES } from "#core/people/question-limits.ts";

/** Writes a question, or edits one. */
export function QuestionDialog({ question, onClose }: { question?: Question; onClose: () => void }) {
  const [written, setWritten] = useState({ text: "", choices: ["", ""], isMultiple: false, ...question });
  const { id, version, text, choices, isMultiple } = written;
  // Offers one more field as soon as the last is filled in.
  const fields = choices.at(-1) === "" ? choices : [...choices, ""].slice(0, MAX_CHOICES);
  return (
    <ChangeDialog
      title={question ? "Edit question" : "Add a question"}
      action={question ? "Save" : "Add"}
      change={() => post(id ? `/api/questions/${id}/edit` : "/api/questions", { text, choices, isMultiple, version })}
      onClose={onClose}
    >
      <label className="field">
        Question
        <input
          required
          maxLength={120}
          value={text}
          onChange={({ target }) => setWritten({ ...written, text: target.value })}
        />
      </label>
      <label className="field">
        Members choose
        <select
          value={isMultiple ? "any" : "one"}
          onChange={({ target }) => setWritten({ ...written, isMultiple: target.value === "any" })}
        >
          <option value="one">one choice</option>
          <option value="any">any number of choices</option>
        </select>
      </label>
      {fields.map((choice, index) => (
        <label key={index} className="field">
          Choice {index + 1}
          <input
            required={index < 2 && !question}
            maxLength={80}
            value={choice}
            onChange={({ target }) => setWritten({ ...written, choices: fields.with(index, target.value) })}
          />
        </label>
      ))}
    </ChangeDialog>
  );
}
