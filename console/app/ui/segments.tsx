import { Button } from "./button.tsx";

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
        <Button key={name} aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {titles[name]}
        </Button>
      ))}
    </fieldset>
  );
}
