import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { SettingsDisclosure } from "./settings-disclosure";

const section = (errors = 0) => (
  <>
    <a href="#zdr">Zero data retention</a>
    <SettingsDisclosure id="zdr" title="Retention" description="Only some." summary="Off" errors={errors}>
      <input aria-label="Vendor" />
    </SettingsDisclosure>
  </>
);

const button = () => screen.getByRole("button", { name: "Retention" });
const isOpen = () => button().getAttribute("aria-expanded") === "true" && screen.queryByLabelText("Vendor") !== null;

beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined;
  window.location.hash = "";
});

it("is closed at first, says what is set, and keeps its fields when it is closed again", async () => {
  const user = userEvent.setup();
  render(section());
  expect(isOpen()).toBe(false);
  expect(screen.queryByLabelText("Vendor")).toBeNull();
  expect(document.getElementById(button().getAttribute("aria-describedby") ?? "")?.textContent).toBe("Off");
  button().focus();
  await user.keyboard("{Enter}");
  expect(isOpen()).toBe(true);
  expect(document.getElementById(button().getAttribute("aria-controls") ?? "")?.hidden).toBe(false);
  await user.type(screen.getByLabelText("Vendor"), "acme");
  await user.click(button());
  expect(button().getAttribute("aria-expanded")).toBe("false");
  await user.click(button());
  expect(screen.getByLabelText<HTMLInputElement>("Vendor").value).toBe("acme");
});

it("opens when it gets an error, and can be closed nevertheless", async () => {
  const { rerender } = render(section());
  rerender(section(2));
  expect(isOpen()).toBe(true);
  expect(screen.getByText("2 errors")).toBeDefined();
  await userEvent.setup().click(button());
  expect(isOpen()).toBe(false);
  rerender(section(0));
  rerender(section(1));
  expect(isOpen()).toBe(true);
});

it("opens by a link to it, also by the same link again", async () => {
  const user = userEvent.setup();
  render(section());
  await act(async () => {
    window.location.hash = "#zdr";
    window.dispatchEvent(new Event("hashchange"));
    await Promise.resolve();
  });
  expect(isOpen()).toBe(true);
  await user.click(button());
  expect(isOpen()).toBe(false);
  await user.click(screen.getByRole("link", { name: "Zero data retention" }));
  expect(isOpen()).toBe(true);
});
