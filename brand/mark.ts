/** An F that is a watchtower, and its light, which the style sheet colours. The page has the same drawing. */
export const mark = `<svg class="mark" viewBox="0 0 32 32" width="28" height="28" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M8.5 27V7.5M8.5 17.5h9"/><path class="light" d="M12.5 7.2 27.5 3v8.4Z"/></svg>`;
