export function SectionHeading({ name, title, children }: { name: string; title: string; children?: React.ReactNode }) {
  return (
    <div className="grid max-w-2xl gap-4">
      <p className="text-sm font-medium text-accent">{name}</p>
      <h2 className="text-title font-semibold text-balance">{title}</h2>
      {children && <p className="max-w-prose text-lg leading-relaxed text-quiet text-pretty">{children}</p>}
    </div>
  );
}
