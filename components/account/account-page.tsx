"use client";
import { useQuery } from "@tanstack/react-query";
import { FormSkeleton } from "@/components/form/form-skeleton";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { useTheme } from "@/components/layout/theme";
import { OwnPermissions } from "@/components/roles/own-permissions";
import { sessionQuery } from "@/components/session/session-queries";
import { Card } from "@/components/ui/card";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Segmented } from "@/components/ui/segmented";
import { OwnSessions } from "./own-sessions";
import { securitySkeleton } from "./security-skeleton";

const PasswordForm = lazyComponent(() => import("./password-form").then((file) => file.PasswordForm), {
  loading: () => <FormSkeleton hints={["", "At least 8 characters."]} className="max-w-2xl gap-4" />,
});
const namesSkeleton = () => <FormSkeleton hints={["", ""]} className="max-w-2xl gap-4" />;
const NamesForm = lazyComponent(() => import("./names-form").then((file) => file.NamesForm), {
  loading: namesSkeleton,
});

const SecuritySection = lazyComponent(() => import("./security-section").then((file) => file.SecuritySection), {
  loading: securitySkeleton,
});

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
        <Card id="names" title="Your name" description="Shown to other members and in the audit log.">
          <DataState query={session} subject="your account" skeleton={namesSkeleton()}>
            {({ user }) => <NamesForm user={user} />}
          </DataState>
        </Card>
        <Card id="theme" title="Theme" description="For this browser.">
          <Segmented label="Theme" value={theme} onValueChange={setTheme} options={THEME_OPTIONS} />
        </Card>
        {!session.data?.connection && (
          <Card
            id="password"
            title="Password"
            description="Changing your password signs you out of all other browsers."
          >
            <PasswordForm />
          </Card>
        )}
        <Card id="security" title="Sign-in" description="Protect your account with more than a password.">
          <SecuritySection />
        </Card>
        <OwnPermissions />
        <OwnSessions />
      </div>
    </>
  );
}
