import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { AuthLayout } from "@/components/layout/auth-layout";
import { SignInDone } from "@/components/session/sign-in-done";

export const metadata: Metadata = { title: "Sign-in" };

export default async function SignInDonePage({ searchParams }: PageProps) {
  const { refusal, ...query } = await searchParams;
  const isTest = query["for"] === "test";
  const isRefused = typeof refusal === "string";
  const title = isTest ? "Test finished" : isRefused ? "Not confirmed" : "Confirmed";
  return (
    <AuthLayout title={title}>
      <SignInDone isTest={isTest} refusal={isRefused ? refusal : null} />
    </AuthLayout>
  );
}
