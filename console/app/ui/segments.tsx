interface SegmentsProps<Name extends string> {
  label: string;
  titles: Record<Name, string>;
  chosen: Name;
  onChoose: (name: Name) => void;
}

export function Segments<Name extends string>({ label, titles, chosen, onChoose }: SegmentsProps<Name>) {
  return (
    <fieldset className="segments" aria-label={label}>
      {(Object.keys(titles) as Name[]).map((name) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {titles[name]}
        </button>
      ))}
    </fieldset>
  );
}
