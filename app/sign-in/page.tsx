import type { Metadata } from "next";
import type { PageProps } from "@/app/page-props";
import { Prefetch } from "@/app/prefetch";
import { AuthLayout } from "@/components/layout/auth-layout";
import { SignIn } from "@/components/session/sign-in-form";
import { signInOptionsQuery } from "@/components/session/session-queries";
import { localPath } from "@/lib/browser/sign-in-path";

const MAX_REQUEST_ID = 64;

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: PageProps) {
  const { next, refusal, request } = await searchParams;
  return (
    <AuthLayout title="Sign in to Signalbox">
      <Prefetch queries={[signInOptionsQuery]}>
        <SignIn
          next={localPath(typeof next === "string" ? next : null)}
          refusal={typeof refusal === "string" ? refusal : null}
          requestId={typeof request === "string" ? request.slice(0, MAX_REQUEST_ID) : null}
        />
      </Prefetch>
    </AuthLayout>
  );
}
