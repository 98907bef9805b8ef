/** A type after a JSON round trip, in which dates become ISO strings. */
export type Json<T> = T extends Date ? string : T extends string ? T : { [Key in keyof T]: Json<T[Key]> };
