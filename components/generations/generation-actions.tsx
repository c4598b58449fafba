"use client";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { useUser } from "@/components/session/user-context";
import { KEY_VARIABLE } from "@/components/snippets/key-variable";
import { Button } from "@/components/ui/button";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { copyText } from "@/lib/browser/clipboard";
import { usePageRouter } from "@/lib/browser/page-router";
import type { Generation } from "@/lib/records/generations/contract";
import { DeleteContent } from "./delete-content";

const TestFromGeneration = lazyComponent(() =>
  import("@/components/policy-tests/test-from-generation").then((file) => file.TestFromGeneration),
);

async function copy(text: string, what: string) {
  if (await copyText(text)) toast.success(`${what} copied`);
  else toast.error("Couldn't copy to the clipboard");
}

const linkTo = (id: string) => `${window.location.origin}/generations/${id}`;
const curlOf = (id: string) =>
  `curl -H "Authorization: Bearer $${KEY_VARIABLE}" "${window.location.origin}/v1/generation?id=${id}"`;

/** Actions menu of a generation. Mutating and evaluating actions are for admins only. */
export function GenerationActions({ generation, onLeave }: { generation: Generation; onLeave?: () => void }) {
  const { isAdmin } = useUser();
  const router = usePageRouter();
  const [opened, setOpened] = useState<"replay" | "test" | "delete" | null>(null);
  const { id, content_stored } = generation;
  const savePreset = () => {
    onLeave?.();
    router.push(`/presets/new?from_generation=${id}`);
  };
  return (
    <>
      <Menu
        trigger={
          <Button variant="ghost" size="icon" aria-label="Actions for this generation">
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        {isAdmin && (
          <>
            <MenuItem onSelect={() => setOpened("test")}>Create policy test…</MenuItem>
            <MenuItem disabled={!content_stored} onSelect={savePreset}>
              Save as preset…
            </MenuItem>
            <MenuSeparator />
          </>
        )}
        <MenuItem onSelect={() => void copy(id, "ID")}>Copy ID</MenuItem>
        <MenuItem onSelect={() => void copy(linkTo(id), "Link")}>Copy link</MenuItem>
        <MenuItem onSelect={() => void copy(curlOf(id), "Command")}>Copy as curl</MenuItem>
        {isAdmin && (
          <>
            <MenuSeparator />
            <MenuItem isDestructive disabled={!content_stored} onSelect={() => setOpened("delete")}>
              Delete content…
            </MenuItem>
          </>
        )}
      </Menu>
      {opened === "test" && <TestFromGeneration generation={generation} onClose={() => setOpened(null)} />}
      <DeleteContent generation={generation} open={opened === "delete"} onClose={() => setOpened(null)} />
    </>
  );
}
