import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { MessagePart } from "./message-part";

const LONG = `${"words ".repeat(500)}the end`;
const message = () => screen.getByRole("group", { name: "user" });

it("starts with a part of a long text", async () => {
  const user = userEvent.setup();
  render(<MessagePart title="user" text={LONG} />);
  expect(message().textContent).not.toContain("the end");
  await user.click(screen.getByRole("button", { name: "Show all 3,007 characters" }));
  expect(message().textContent).toBe(LONG);
  await user.click(screen.getByRole("button", { name: "Show less" }));
  expect(message().textContent).not.toContain("the end");
});

it("shows a short text whole, and says that an empty one is", () => {
  render(<MessagePart title="user" text="Hello" />);
  expect(message().textContent).toBe("Hello");
  expect(screen.queryByRole("button", { name: /^Show/ })).toBeNull();
  render(<MessagePart title="assistant" text="" />);
  expect(screen.getByText("Empty")).toBeTruthy();
});

it("marks matches", () => {
  render(<MessagePart title="user" text="to ada@example.com" spans={[{ start: 3, end: 18, label: "email" }]} />);
  expect(screen.getByText("1 match")).toBeTruthy();
  expect(message().querySelector("mark")?.textContent).toContain("ada@example.com");
});
