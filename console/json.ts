/** A value as it arrives through JSON: dates are ISO strings. */
export type Json<T> = T extends Date ? string : T extends object ? { [Key in keyof T]: Json<T[Key]> } : T;
