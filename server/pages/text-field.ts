import { html, type Markup } from "#core/text/html.ts";

export interface TextField {
  name: string;
  label: string;
  value: string;
  type?: "text" | "email";
  autocomplete: string;
  isOptional?: boolean;
  error?: string | undefined;
  hasFocus?: boolean;
}

/** A labeled input with its error. Its form is `novalidate`, so that errors use the contract's wording. */
export function textField(field: TextField): Markup {
  const { name, label, value, type = "text", autocomplete, isOptional, error, hasFocus } = field;
  return html`
    <div class="field">
      <label for="${name}">${label}${isOptional ? html` <span>(optional)</span>` : ""}</label>
      <input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}" dir="auto"
        ${isOptional ? "" : "required"} ${hasFocus ? "autofocus" : ""}
        ${error ? html`aria-invalid="true" aria-describedby="${name}-error"` : ""}>
      ${error ? html`<p class="error" id="${name}-error">${error}</p>` : ""}
    </div>`;
}
