/** How many questions members can be asked at once. The database has the same limit. */
export const MAX_QUESTIONS = 3;
export const MAX_CHOICES = 8;
