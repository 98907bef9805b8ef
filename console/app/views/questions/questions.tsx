import { useState } from "react";
import { Link } from "#console/app/http/location.tsx";
import { post } from "#console/app/http/request.ts";
import { LIVE, useApi, useChange } from "#console/app/http/use-api.ts";
import { Button } from "#console/app/ui/button.tsx";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import type { Question } from "#console/contract/people.ts";
import { may, type Role } from "#console/contract/roles.ts";
import { MAX_QUESTIONS } from "#core/people/question-limits.ts";
import { QuestionDialog } from "./question-dialog.tsx";

export function Questions({ role }: { role: Role }) {
  const [isAdding, setAdding] = useState(false);
  const questions = useApi<Question[]>("/api/questions", LIVE);
  const mayWrite = may(role, "write");
  const active = questions.data?.filter(({ position }) => position !== null) ?? [];
  return (
    <>
      <title>Questions</title>
      <div className="heading">
        <h1>Questions</h1>
        {mayWrite && active.length < MAX_QUESTIONS && (
          <p className="actions">
            <Button onClick={() => setAdding(true)}>Add question…</Button>
          </p>
        )}
      </div>
      <p className="quiet lead">Members answer on their page. Every question is optional.</p>
      <Loaded query={questions} empty="No questions yet. Ask what helps you decide whom to invite first.">
        {(all) => (
          <ul className="questions">
            {all.map((question) => (
              <QuestionCard key={question.id} question={question} mayWrite={mayWrite} />
            ))}
          </ul>
        )}
      </Loaded>
      {isAdding && <QuestionDialog onClose={() => setAdding(false)} />}
    </>
  );
}

function QuestionCard({ question, mayWrite }: { question: Question; mayWrite: boolean }) {
  const [asked, setAsked] = useState<"edit" | "retire">();
  const { id, position, text, choices, isMultiple } = question;
  const moveUp = useChange(() => post(`/api/questions/${id}/move-up`));
  const close = () => setAsked(undefined);
  const of = <span className="visually-hidden"> question {id}</span>;
  return (
    <li className="card">
      <header>
        <h2>
          <bdi>{text}</bdi>
        </h2>
        <p className={`status ${position ? "good" : "quiet"}`}>{position ? "Active" : "Retired"}</p>
      </header>
      <p className="quiet">
        Question {id}, {isMultiple ? "any number of choices" : "one choice"}
      </p>
      <ol>
        {choices.map((choice, index) => (
          <li key={choice}>
            <Link href={`/people?${new URLSearchParams({ answer: `${id}:${index + 1}` })}`}>
              <bdi>{choice}</bdi>
            </Link>
          </li>
        ))}
      </ol>
      {mayWrite && position && (
        <p className="actions">
          {position > 1 && <Button onClick={() => moveUp.mutate()}>Move up{of}</Button>}
          <Button onClick={() => setAsked("edit")}>Edit…{of}</Button>
          <Button onClick={() => setAsked("retire")}>Retire…{of}</Button>
        </p>
      )}
      {moveUp.error && <p role="alert">{moveUp.error.message}</p>}
      {asked === "edit" && <QuestionDialog question={question} onClose={close} />}
      {asked === "retire" && (
        <ChangeDialog
          title="Retire this question?"
          action="Retire"
          isDestructive
          change={() => post(`/api/questions/${id}/retire`)}
          onClose={close}
        >
          <p>
            <bdi>{text}</bdi>
          </p>
          <p>
            Members no longer see it, and you can't ask it again. Answers stay as a filter and in the export. Without
            any answers, it is deleted.
          </p>
        </ChangeDialog>
      )}
    </li>
  );
}
