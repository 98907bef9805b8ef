import { answerField } from "#core/members/answer.ts";
import type { Member } from "#core/members/member.ts";
import type { Question } from "#core/people/questions.ts";
import { html, type Markup } from "#core/text/html.ts";

/** The team's questions for a confirmed member. `isRefused` if the questions changed while the member answered. */
export function questionsSection(questions: Question[], answers: Member["answers"], path: string, isRefused = false) {
  return html`
    <section>
      <h2>${questions.length === 1 ? "A quick question" : "A few quick questions"}</h2>
      <p id="answered" class="notice" role="status" tabindex="-1">Thank you. Your answers are saved.</p>
      ${isRefused ? html`<p class="error" role="alert" tabindex="-1" autofocus>We've just changed our questions, so we didn't save this. Please answer again.</p>` : ""}
      <p>Your answers help us decide what to build and whom to invite next. We keep them with your sign-up. Every question is optional, and you can change your answers anytime.</p>
      <form method="post" action="${path}/answers">
        ${questions.map((question) => fieldset(question, answers?.[question.id] ?? []))}
        <button class="quiet">Save answers</button>
      </form>
    </section>`;
}

function fieldset(question: Question, chosen: number[]): Markup {
  const { text, choices, isMultiple } = question;
  const option = (label: string, value: number | "", isChosen: boolean) =>
    html`<label><input type="${isMultiple ? "checkbox" : "radio"}" name="${answerField(question)}" value="${value}" ${isChosen ? "checked" : ""}><bdi>${label}</bdi></label>`;
  // Without a script, a radio button can be cleared only by another.
  const none = !isMultiple && chosen.length > 0 ? option("No answer", "", false) : "";
  return html`
    <fieldset>
      <legend dir="auto">${text}${isMultiple ? html` <span>(choose any)</span>` : ""}</legend>
      ${choices.map((choice, index) => option(choice, index + 1, chosen.includes(index + 1)))}${none}
    </fieldset>`;
}
