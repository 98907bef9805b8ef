import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "#console/app/http/location.tsx";
import { post } from "#console/app/http/request.ts";
import { LIVE, useApi } from "#console/app/http/use-api.ts";
import { ChangeDialog } from "#console/app/ui/change-dialog.tsx";
import { Loaded } from "#console/app/ui/states.tsx";
import type { Question } from "#console/contract/people.ts";
import { may, type Role } from "#console/contract/roles.ts";
import { MAX_QUESTIONS } from "#core/text/format.ts";
import { QuestionDialog } from "./question-dialog.tsx";

/** An open dialog; without a question, it is for a new one. */
type Asked = { change: "write" | "retire"; question?: Question };

export function Questions({ role }: { role: Role }) {
  const [asked, setAsked] = useState<Asked>();
  const questions = useApi<Question[]>("/api/questions", LIVE);
  const client = useQueryClient();
  const { mutate: moveUp, error } = useMutation({
    mutationFn: (id: string) => post(`/api/questions/${id}/move-up`),
    onSettled: () => client.invalidateQueries(),
  });
  const active = questions.data?.filter(({ position }) => position !== null) ?? [];
  const close = () => setAsked(undefined);
  return (
    <>
      <title>Questions</title>
      <div className="heading">
        <h1>Questions</h1>
        {may(role, "write") && active.length < MAX_QUESTIONS && (
          <p className="actions">
            <button type="button" onClick={() => setAsked({ change: "write" })}>
              Add question…
            </button>
          </p>
        )}
      </div>
      <p className="quiet lead">Members answer on their page. Every question is optional.</p>
      {error && <p role="alert">{error.message}</p>}
      <Loaded query={questions} empty="No questions yet. Ask what helps you decide whom to invite first.">
        {(all) => (
          <ul className="questions">
            {all.map((question) => (
              <QuestionCard
                key={question.id}
                question={question}
                mayWrite={may(role, "write")}
                onAsk={setAsked}
                onMoveUp={moveUp}
              />
            ))}
          </ul>
        )}
      </Loaded>
      {asked?.change === "write" && <QuestionDialog question={asked.question} onClose={close} />}
      {asked?.change === "retire" && asked.question && (
        <ChangeDialog
          title="Retire this question?"
          action="Retire"
          isDestructive
          change={() => post(`/api/questions/${asked.question?.id}/retire`)}
          onClose={close}
        >
          <p>
            <bdi>{asked.question.text}</bdi>
          </p>
          <p>
            Members no longer see it, and you can't ask it again. Answers stay as a filter and in the export. Without
            any answers, it is deleted.
          </p>
        </ChangeDialog>
      )}
    </>
  );
}

interface QuestionCardProps {
  question: Question;
  mayWrite: boolean;
  onAsk: (asked: Asked) => void;
  onMoveUp: (id: string) => void;
}

function QuestionCard({ question, mayWrite, onAsk, onMoveUp }: QuestionCardProps) {
  const { id, position, text, choices, isMultiple } = question;
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
          {position > 1 && (
            <button type="button" onClick={() => onMoveUp(id)}>
              Move up{of}
            </button>
          )}
          <button type="button" onClick={() => onAsk({ change: "write", question })}>
            Edit…{of}
          </button>
          <button type="button" onClick={() => onAsk({ change: "retire", question })}>
            Retire…{of}
          </button>
        </p>
      )}
    </li>
  );
}
