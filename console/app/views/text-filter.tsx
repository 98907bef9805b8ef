import { useEffect, useEffectEvent, useState } from "react";

/** Typing shouldn't ask for every letter. */
const TYPING_MS = 250;

interface TextFilterProps {
  label: string;
  placeholder: string;
  className?: string;
  value: string;
  onChange: (text: string) => void;
}

/** A text that counts once the operator stops typing. */
export function TextFilter({ label, placeholder, className, value, onChange }: TextFilterProps) {
  const [text, setText] = useState(value);
  // A space at the end stays while someone types the next word.
  const follow = useEffectEvent(() => value !== text.trim() && setText(value));
  useEffect(() => void follow(), [value]);
  const apply = useEffectEvent(() => text.trim() !== value && onChange(text.trim()));
  useEffect(() => {
    const timer = setTimeout(() => apply(), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label className={className}>
      <span>{label}</span>
      <input type="search" placeholder={placeholder} value={text} onChange={({ target }) => setText(target.value)} />
    </label>
  );
}
