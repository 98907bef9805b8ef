/** Standard deviations around the mean of a normal distribution that hold 95%. */
const Z = 1.96;

/** The 95% Wilson score interval: where a share probably is if `part` of `total` were observed. */
export function wilsonInterval(part: number, total: number): [low: number, high: number] {
  const share = part / total;
  const weight = Z ** 2 / total;
  const center = share + weight / 2;
  const margin = Z * Math.sqrt((share * (1 - share)) / total + (weight / total) * 0.25);
  return [(center - margin) / (1 + weight), (center + margin) / (1 + weight)];
}
