"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { useTheme } from "@/components/layout/theme";
import { sessionQuery } from "@/components/session/session-queries";
import { Card } from "@/components/ui/card";
import { persistently } from "@/components/ui/deferred";
import { LatePart } from "@/components/ui/late-part";
import { Segmented } from "@/components/ui/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import { OwnSessions } from "./own-sessions";

const NamesForm = dynamic(() => persistently(() => import("./names-form").then((file) => file.NamesForm)));
const PasswordForm = dynamic(() => persistently(() => import("./password-form").then((file) => file.PasswordForm)));

const THEME_OPTIONS = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "system", label: "System" },
] as const;

export function AccountPage() {
  const session = useQuery(sessionQuery);
  const { theme, setTheme } = useTheme();
  return (
    <>
      <PageHeader
        title="Your account"
        description={
          session.data ? `${session.data.user.email}, ${session.data.organization.name}` : "Your personal settings"
        }
      />
      <div className="grid gap-4">
        <Card id="names" title="Your name" description="Shown to other members and in the audit log">
          <DataState query={session} subject="your account" skeleton={<Skeleton className="h-28 w-full" />}>
            {({ user }) => (
              <LatePart fallback={<Skeleton className="h-28 w-full" />}>
                <NamesForm user={user} />
              </LatePart>
            )}
          </DataState>
        </Card>
        <Card id="theme" title="Theme" description="For this browser">
          <Segmented label="Theme" value={theme} onValueChange={setTheme} options={THEME_OPTIONS} />
        </Card>
        <Card id="password" title="Password" description="Changing your password signs you out of all other browsers.">
          <LatePart fallback={<Skeleton className="h-28 w-full" />}>
            <PasswordForm />
          </LatePart>
        </Card>
        <OwnSessions />
      </div>
    </>
  );
}
