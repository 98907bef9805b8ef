export function JoinedCard() {
  return (
    <div className="grid gap-2 rounded-lg border border-good p-6">
      <h3 className="text-good">Successfully Joined!</h3>
      <p>
        Thank you for joining our waitlist. We'll be in touch soon with exclusive updates and early access information.
      </p>
    </div>
  );
}
