import { useQuestions } from "#console/app/http/use-api.ts";

interface AnswerInputProps {
  /** "2:1,2:3" for choices 1 and 3 of question 2. */
  value: string;
  onChange: (value: string) => void;
}

/** A group of checkboxes per question, retired ones last. */
export function AnswerInput({ value, onChange }: AnswerInputProps) {
  const chosen = value.split(",").filter(Boolean);
  const set = (answer: string, isChosen: boolean) =>
    onChange((isChosen ? [...chosen, answer] : chosen.filter((each) => each !== answer)).join());
  return useQuestions().map(({ id, text, choices }) => (
    <fieldset key={id} className="wide-field choices">
      <legend>
        <bdi>{text}</bdi>
      </legend>
      {choices.map((choice, index) => (
        <label key={choice}>
          <input
            type="checkbox"
            checked={chosen.includes(`${id}:${index + 1}`)}
            onChange={({ target }) => set(`${id}:${index + 1}`, target.checked)}
          />
          <bdi>{choice}</bdi>
        </label>
      ))}
    </fieldset>
  ));
}
