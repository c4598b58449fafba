"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { DataState } from "@/components/layout/data-state";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { Facts } from "@/components/ui/facts";
import { Skeleton } from "@/components/ui/skeleton";
import { toFailure } from "@/lib/browser/api-failure";
import type { SignInConnection, SignInTest } from "@/lib/records/sign-in-connections/contract";
import { testQuery, useTestConnection } from "./connection-queries";
import { useReloadedConnection } from "./use-reloaded-connection";

/** A test sign-in in another tab, and what the provider sent. */
export function TestSection({ connection, isUnsaved }: { connection: SignInConnection; isUnsaved: boolean }) {
  const test = useTestConnection(connection.id);
  const [testId, setTestId] = useState<string | null>(null);
  const [isBlocked, setBlocked] = useState(false);
  // The tab opens after the answer, because the member may have to confirm their identity in this one before.
  const start = () =>
    test.mutate(undefined, {
      onSuccess: ({ data }) => {
        setTestId(data.id);
        setBlocked(window.open(data.url, "_blank") === null);
      },
    });
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted">
          {isUnsaved ? "Save your changes above first." : "Opens the provider in a new tab. Nobody is signed in."}
        </p>
        <Button disabled={isUnsaved || test.isPending} onClick={start}>
          Test sign-in
        </Button>
      </div>
      {test.error && <FailureAlert failure={toFailure(test.error)} />}
      {isBlocked && test.data && (
        <Alert kind="warning" title="Your browser blocked the new tab">
          <a href={test.data.data.url} target="_blank" rel="noopener" className={buttonStyle({ size: "sm" })}>
            Open the provider
          </a>
        </Alert>
      )}
      {testId !== null && <TestOutcome connectionId={connection.id} testId={testId} />}
    </div>
  );
}

function TestOutcome({ connectionId, testId }: { connectionId: string; testId: string }) {
  const query = useQuery(testQuery(connectionId, testId));
  useReloadedConnection(query.data?.data.status === "succeeded" ? testId : null);
  return (
    <DataState query={query} subject="the test" skeleton={<Skeleton className="h-24 w-full" />}>
      {({ data }) => <Outcome test={data} />}
    </DataState>
  );
}

const JOINS: Readonly<Record<NonNullable<SignInTest["join"]>, string>> = {
  signs_in: "Signs in with the account that was linked before",
  links: "Links the account with this address, and signs in",
  creates: "Creates an account, and signs in",
};

function Outcome({ test }: { test: SignInTest }) {
  const { status, error, join, person, claims } = test;
  if (status === "pending") return <Alert kind="info" title="Waiting for the sign-in in the other tab" />;
  if (status === "expired") return <Alert kind="warning" title="Nobody signed in. Start another test" />;
  return (
    <div className="grid gap-4">
      {error === null ? (
        <Alert kind="info" title="The test succeeded" />
      ) : (
        <Alert kind="danger" title="The test failed">
          {error}
        </Alert>
      )}
      {person && (
        <Facts
          facts={[
            { term: "Subject", value: person.subject },
            { term: "Email", value: person.email },
            { term: "Name", value: [person.first_name, person.last_name].filter(Boolean).join(" ") },
            { term: "Groups", value: person.groups.length === 0 ? "None" : person.groups.join(", ") },
            { term: "A sign-in", value: join && JOINS[join] },
          ]}
        />
      )}
      {claims && <ClaimTable claims={claims} />}
    </div>
  );
}

const shown = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

const ClaimTable = ({ claims }: { claims: Readonly<Record<string, unknown>> }) => (
  <div className="overflow-x-auto rounded-md border">
    <table className="w-full text-left text-[13px]">
      <caption className="sr-only">Claims that the provider sent</caption>
      <thead className="border-b text-muted">
        <tr>
          <th scope="col" className="px-3 py-1.5 font-medium">
            Claim
          </th>
          <th scope="col" className="px-3 py-1.5 font-medium">
            Value
          </th>
        </tr>
      </thead>
      <tbody className="divide-y font-mono">
        {Object.entries(claims).map(([name, value]) => (
          <tr key={name} className="align-top">
            <th scope="row" className="px-3 py-1.5 font-normal">
              {name}
            </th>
            <td className="px-3 py-1.5 wrap-anywhere">{shown(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
