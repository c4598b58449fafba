import type { Metadata } from "next";
import { Door } from "@/components/layout/door";
import { InvitationForm } from "@/components/session/invitation-form";

export const metadata: Metadata = { title: "Accept the invitation" };

export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return (
    <Door title="Welcome to Signalbox" description="Choose a password to accept the invitation.">
      <InvitationForm token={token} />
    </Door>
  );
}
