export function SectionHeading({ title, children }: { title: string; children?: React.ReactNode }) {
  return (
    <div className="grid max-w-2xl gap-4">
      <h2 className="text-title font-semibold text-balance">{title}</h2>
      {children && <p className="max-w-prose text-lg leading-relaxed text-quiet text-pretty">{children}</p>}
    </div>
  );
}
