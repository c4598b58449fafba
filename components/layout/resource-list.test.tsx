import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { expect, it, vi } from "vitest";
import { EmptyState } from "@/components/ui/empty-state";
import { ApiFailure } from "@/lib/browser/api-failure";
import { LIST_STATE } from "./list-state";
import { ResourceList, useListState } from "./resource-list";

interface Key {
  name: string;
}

const COLUMNS = [{ id: "name", header: "Name", cell: ({ name }: Key) => name }];

function Keys({ load }: { load: () => Promise<Key[]> }) {
  const { list } = useListState(LIST_STATE);
  const query = useQuery({
    queryKey: ["keys"],
    queryFn: async () => {
      const data = await load();
      return { data, total_count: data.length };
    },
    retry: false,
  });
  return (
    <ResourceList
      label="Keys"
      subject="keys"
      query={query}
      list={list}
      columns={COLUMNS}
      rowKey={({ name }) => name}
      searchCovers="Search covers names."
      empty={
        <EmptyState icon="0" title="No keys yet">
          Create one.
        </EmptyState>
      }
    />
  );
}

const show = (load: () => Promise<Key[]>, searchParams = "") =>
  render(
    <NuqsTestingAdapter searchParams={searchParams} hasMemory>
      <QueryClientProvider client={new QueryClient()}>
        <Keys load={load} />
      </QueryClientProvider>
    </NuqsTestingAdapter>,
  );

it("says what is loading, then shows the rows", async () => {
  show(() => Promise.resolve([{ name: "Support bot" }]));
  expect(screen.getByRole("status").textContent).toContain("Loading keys");
  expect((await screen.findByRole("table", { name: "Keys" })).textContent).toContain("Support bot");
});

it("shows what an empty list is for, without a search", async () => {
  show(() => Promise.resolve([]));
  await screen.findByRole("heading", { name: "No keys yet" });
  expect(screen.queryByRole("search")).toBeNull();
});

it("offers to clear a search without results", async () => {
  show(() => Promise.resolve([]), "?q=zebra");
  await screen.findByRole("heading", { name: "No results" });
  screen.getByText("Search covers names.");
  await userEvent.setup().click(screen.getByRole("button", { name: "Clear all filters" }));
  await screen.findByRole("heading", { name: "No keys yet" });
});

it("announces a failure with its request, and loads again", async () => {
  const load = vi.fn<() => Promise<Key[]>>().mockResolvedValue([{ name: "Support bot" }]);
  load.mockRejectedValueOnce(new ApiFailure(500, "Internal error", "req_42"));
  show(load);
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Couldn’t load keys");
  expect(alert.textContent).toContain("req_42");
  await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("table", { name: "Keys" });
});

it("offers no action on a list that the user may not read", async () => {
  show(() => Promise.reject(new ApiFailure(403, "Forbidden")));
  expect((await screen.findByRole("alert")).textContent).toContain("You don’t have access to keys");
  expect(screen.queryByRole("search")).toBeNull();
  expect(screen.queryByRole("button")).toBeNull();
});
