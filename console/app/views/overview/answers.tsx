import type { CSSProperties } from "react";
import { Link } from "#console/app/http/location.tsx";
import { Empty } from "#console/app/ui/states.tsx";
import type { AnswerCounts } from "#console/contract/overview.ts";
import { formatRoundedPercent, pluralize } from "#core/text/format.ts";
import { PeopleLink } from "./cards.tsx";

const filterOf = (id: string, index: number) => ({ answer: `${id}:${index + 1}`, confirmed: "yes" });

/** The shade of a choice, in the bar and in its legend. */
const shade = (index: number, people = 0) => ({ "--shade": index, flexGrow: people }) as CSSProperties;

/** One bar per active question; its parts are the choices of confirmed people. */
export function Answers({ questions }: { questions: AnswerCounts[] }) {
  return questions.map(({ id, text, people, choices }) => (
    <section key={id} className="card answers">
      <header>
        <h2>
          <bdi>{text}</bdi>
        </h2>
        <p className="quiet">{pluralize(people, "answer")}, confirmed people</p>
      </header>
      {people === 0 ? (
        <Empty>Nobody has answered yet.</Empty>
      ) : (
        <>
          <p className="parts">
            {choices.map((choice, index) => (
              <Part key={choice.text} id={id} index={index} {...choice} />
            ))}
          </p>
          <table>
            <tbody>
              {choices.map((choice, index) => (
                <tr key={choice.text}>
                  <th scope="row" style={shade(index)}>
                    <bdi>{choice.text}</bdi>
                  </th>
                  <td>
                    <PeopleLink people={choice.people} filter={filterOf(id, index)} />{" "}
                    <span className="quiet share">{formatRoundedPercent(choice.people, people)}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  ));
}

function Part({ id, index, text, people }: { id: string; index: number; text: string; people: number }) {
  if (people === 0) return null;
  const name = `${text}: ${pluralize(people, "person", "people")}`;
  return (
    <Link
      href={`/people?${new URLSearchParams(filterOf(id, index))}`}
      aria-label={name}
      title={name}
      style={shade(index, people)}
    />
  );
}
