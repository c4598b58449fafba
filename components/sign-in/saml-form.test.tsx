import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SignInConnection } from "@/lib/records/sign-in-connections/contract";
import { useConnectionForm } from "./connection-form";
import { SamlForm, samlValues } from "./saml-form";

vi.mock("@/components/form/unsaved-guard", () => ({ UnsavedGuard: () => null }));

const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----\n";
const SETTINGS = {
  entity_id: "https://idp.example/metadata",
  sso_url: "https://idp.example/sso",
  slo_url: null,
  certificates: [CERTIFICATE],
};
const DETAILS = {
  subject: "CN=idp",
  sha256: "AB:CD",
  valid_from: "2026-01-01T00:00:00.000Z",
  valid_to: "2036-01-01T00:00:00.000Z",
};
const CONNECTION = {
  id: "01980000-0000-7000-8000-000000000001",
  protocol: "saml",
  saml: {
    entity_id: null,
    sso_url: null,
    slo_url: null,
    certificates: [],
    certificate_details: [],
    service_certificate: "",
  },
} as unknown as SignInConnection;

const fetch = vi.fn<(url: string, request: RequestInit) => Promise<Response>>();
beforeEach(() => {
  vi.stubGlobal("fetch", fetch.mockReset());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const Form = () => <SamlForm connection={CONNECTION} edit={useConnectionForm(CONNECTION, samlValues)} />;

function show() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Form />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

const box = (name: string) => screen.getByRole<HTMLTextAreaElement>("textbox", { name });
const sent = (at: number) => JSON.parse(fetch.mock.calls[at]?.[1].body as string) as unknown;

it("fills in the settings from uploaded metadata, and saves them", async () => {
  fetch.mockImplementation(async (url) =>
    url.endsWith("/saml-metadata")
      ? new Response(JSON.stringify({ data: SETTINGS }))
      : new Response(
          JSON.stringify({
            data: { ...CONNECTION, saml: { ...SETTINGS, certificate_details: [DETAILS], service_certificate: "" } },
          }),
        ),
  );
  const user = show();
  await user.upload(screen.getByLabelText("Metadata file"), new File(["<EntityDescriptor/>"], "idp.xml"));
  await screen.findByText("Metadata read");
  expect(sent(0)).toEqual({ metadata: "<EntityDescriptor/>" });
  expect(box("Entity ID").value).toBe(SETTINGS.entity_id);
  expect(box("Certificates").value).toBe(CERTIFICATE);
  await user.click(screen.getByRole("button", { name: "Save provider" }));
  await waitFor(() => expect(fetch).toHaveBeenCalledTimes(2));
  expect(sent(1)).toEqual({ saml: { ...SETTINGS, certificates: [CERTIFICATE.trim()] } });
  await waitFor(() => expect(screen.queryByText("Metadata read")).toBeNull());
});

it("says what is missing in metadata", async () => {
  const issues = [{ path: ["metadata"], message: "The metadata has no signing certificate (KeyDescriptor)" }];
  fetch.mockResolvedValue(
    new Response(JSON.stringify({ error: { code: 400, message: "Invalid", metadata: { issues } } }), { status: 400 }),
  );
  const user = show();
  await user.type(box("Provider’s metadata"), "x");
  await user.click(screen.getByRole("button", { name: "Read metadata" }));
  expect((await screen.findByRole("alert")).textContent).toContain("no signing certificate");
  expect(box("Entity ID").value).toBe("");
});

it("doesn't send a file that is too large", async () => {
  const user = show();
  await user.upload(screen.getByLabelText("Metadata file"), new File(["x".repeat(262_145)], "idp.xml"));
  await screen.findByText("The file is larger than 256 kB");
  expect(fetch).not.toHaveBeenCalled();
});

it("points at a text that isn't a certificate", async () => {
  const user = show();
  await user.type(box("Entity ID"), "https://idp.example");
  await user.type(box("Sign-in URL"), "https://idp.example/sso");
  await user.type(box("Certificates"), "MII");
  await user.click(screen.getByRole("button", { name: "Save provider" }));
  await screen.findByText("Must be a certificate in PEM format", { exact: false }).catch(() => null);
  expect(box("Certificates").getAttribute("aria-invalid")).toBe("true");
  expect(fetch).not.toHaveBeenCalled();
});
