import { Bar } from "#console/app/charts/charts.tsx";
import type { AnswerCounts } from "#console/contract/overview.ts";
import { formatRoundedPercent, pluralize } from "#core/text/format.ts";
import { PeopleLink } from "./cards.tsx";

/** The choices of confirmed people, for each active question. */
export function Answers({ questions }: { questions: AnswerCounts[] }) {
  if (questions.length === 0) return null;
  return (
    <section className="card wide-card answers">
      <header>
        <h2>Answers</h2>
        <p className="quiet">Confirmed people</p>
      </header>
      <div className="distributions">
        {questions.map((question) => (
          <Distribution key={question.id} {...question} />
        ))}
      </div>
    </section>
  );
}

function Distribution({ id, text, people: answered, choices }: AnswerCounts) {
  const max = Math.max(...choices.map(({ people }) => people));
  return (
    <section>
      <h3>
        <bdi>{text}</bdi>
      </h3>
      <p className="quiet">
        {answered === 0 ? "Nobody has answered yet." : `${pluralize(answered, "person", "people")} answered`}
      </p>
      <table>
        <tbody>
          {choices.map(({ text, people }, index) => (
            <tr key={text}>
              <th scope="row">
                <bdi>{text}</bdi>
                <Bar value={people} max={max} />
              </th>
              <td>
                <PeopleLink people={people} filter={{ answer: `${id}:${index + 1}`, confirmed: "yes" }} />{" "}
                <span className="quiet share">{formatRoundedPercent(people, answered)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
