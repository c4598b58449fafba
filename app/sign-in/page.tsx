import type { Metadata } from "next";
import { AuthLayout } from "@/components/layout/auth-layout";
import { SignIn } from "@/components/session/sign-in-form";
import { localPath } from "@/lib/browser/sign-in-path";

export const metadata: Metadata = { title: "Sign in" };

interface SignInPageProps {
  searchParams: Promise<{ next?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next } = await searchParams;
  return (
    <AuthLayout title="Sign in to Signalbox">
      <SignIn next={localPath(typeof next === "string" ? next : null)} />
    </AuthLayout>
  );
}
