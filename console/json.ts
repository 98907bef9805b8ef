/** A value after its way through JSON: dates are ISO strings. */
export type Json<T> = T extends Date ? string : { [Key in keyof T]: Json<T[Key]> };
