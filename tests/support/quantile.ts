export function quantile(values: number[], q: number): number {
  const index = Math.min(values.length - 1, Math.floor(values.length * q));
  return values.toSorted((a, b) => a - b)[index] ?? Number.NaN;
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}
