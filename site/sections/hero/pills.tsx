/** Pills stay at the edges, so that they frame the text and never cross it. */
const PILLS = [
  {
    place: "-left-44 top-[8svh] h-14 w-64 md:-left-44 md:top-[16svh] md:h-28 md:w-[30rem]",
    look: "rotate-[12deg] from-accent/30",
  },
  {
    place: "-right-48 bottom-[7svh] h-16 w-72 md:-right-40 md:bottom-[14svh] md:h-28 md:w-[30rem]",
    look: "-rotate-[15deg] from-accent-far/25",
  },
  {
    place: "-left-28 bottom-[5svh] h-12 w-44 md:-left-10 md:bottom-[9svh] md:h-20 md:w-72",
    look: "-rotate-[8deg] from-accent-far/20",
  },
  {
    place: "-right-16 top-[10svh] h-8 w-32 md:right-[6vw] md:top-[14svh] md:h-14 md:w-52",
    look: "rotate-[20deg] from-accent/25",
  },
  {
    place: "left-[38%] top-[10svh] h-6 w-20 md:left-[24vw] md:top-[10svh] md:h-9 md:w-36",
    look: "-rotate-[25deg] from-accent-far/20",
  },
];

/** Three boxes per pill, because each has a transform: the outer enters, the middle floats, the inner is rotated. */
export function Pills() {
  return (
    <div className="pointer-events-none absolute inset-0 overflow-clip" aria-hidden="true">
      {PILLS.map(({ place, look }) => (
        <div key={place} className={`pill absolute ${place}`}>
          <div className="size-full">
            <div className={`size-full rounded-full border border-line-strong bg-linear-to-r to-transparent ${look}`} />
          </div>
        </div>
      ))}
    </div>
  );
}
