/** Isolated, because a name may be right-to-left text. */
export function FullName({ firstName, lastName }: { firstName: string; lastName: string }) {
  return (
    <bdi>
      {firstName} {lastName}
    </bdi>
  );
}
