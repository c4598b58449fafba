import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { AuthLayout } from "@/components/layout/auth-layout";
import { SignIn } from "@/components/session/sign-in-form";
import { localPath } from "@/lib/browser/sign-in-path";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: PageProps) {
  const { next } = await searchParams;
  return (
    <AuthLayout title="Sign in to Signalbox">
      <SignIn next={localPath(typeof next === "string" ? next : null)} />
    </AuthLayout>
  );
}
