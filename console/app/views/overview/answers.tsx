import type { CSSProperties } from "react";
import { Link } from "#console/app/http/location.tsx";
import type { AnswerCounts } from "#console/contract/overview.ts";
import { formatRoundedPercent, pluralize } from "#core/text/format.ts";
import { PeopleLink } from "./cards.tsx";

/** One bar per active question; its parts are the choices of confirmed people. */
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
  const parts = choices.map(({ text, people }, index) => ({
    text,
    people,
    filter: { answer: `${id}:${index + 1}`, confirmed: "yes" },
    /** Shared by the bar and its legend. */
    shade: { "--shade": index / choices.length, flexGrow: people } as CSSProperties,
  }));
  return (
    <section>
      <h3>
        <bdi>{text}</bdi>
      </h3>
      <p className="quiet">
        {answered === 0 ? "Nobody has answered yet." : `${pluralize(answered, "person", "people")} answered`}
      </p>
      <p className="parts">
        {parts.map(({ text, people, filter, shade }) => {
          const name = `${text}: ${pluralize(people, "person", "people")}`;
          const href = `/people?${new URLSearchParams(filter)}`;
          return <Link key={text} href={href} hidden={people === 0} aria-label={name} title={name} style={shade} />;
        })}
      </p>
      <table>
        <tbody>
          {parts.map(({ text, people, filter, shade }) => (
            <tr key={text}>
              <th scope="row" style={shade}>
                <bdi>{text}</bdi>
              </th>
              <td>
                <PeopleLink people={people} filter={filter} />{" "}
                <span className="quiet share">{formatRoundedPercent(people, answered)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
