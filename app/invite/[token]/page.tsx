import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { AuthLayout } from "@/components/layout/auth-layout";
import { InvitationForm } from "@/components/session/invitation-form";

export const metadata: Metadata = { title: "Set a password" };

export default async function InvitationPage({ params, searchParams }: PageProps<{ token: string }>) {
  const [{ token }, query] = await Promise.all([params, searchParams]);
  const isReset = query["for"] === "reset";
  return (
    <AuthLayout
      title={isReset ? "Set a new password" : "Welcome to Signalbox"}
      description={isReset ? "An admin reset your password." : "Set a password to accept the invitation."}
    >
      <InvitationForm token={token} isReset={isReset} />
    </AuthLayout>
  );
}
