import type { Metadata } from "next";
import { AuthLayout } from "@/components/layout/auth-layout";
import { FirstPasswordForm } from "@/components/session/first-password-form";

export const metadata: Metadata = { title: "Choose your password" };

export default function FirstPasswordPage() {
  return (
    <AuthLayout
      title="Choose your password"
      description="Your current password was set by someone else. Replace it with one that only you know."
    >
      <FirstPasswordForm />
    </AuthLayout>
  );
}
