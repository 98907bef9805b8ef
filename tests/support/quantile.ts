export function quantile(values: number[], share: number): number {
  const place = Math.min(values.length - 1, Math.floor(values.length * share));
  return values.toSorted((a, b) => a - b)[place] ?? Number.NaN;
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}
