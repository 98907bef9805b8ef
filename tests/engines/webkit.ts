import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Builder, By, Capabilities, Key, type WebElement } from "selenium-webdriver";
import { startTunnel } from "#tests/support/team/tunnel.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { APPEARS_MS, type Engine } from "./engine.ts";

/** WebKitGTK's MiniBrowser on a virtual display. */
export async function openWebKit({ isOnTestHosts = false } = {}): Promise<Engine> {
  // A proxy resolves the test hosts, because MiniBrowser has no option for it.
  const tunnel = isOnTestHosts ? await startTunnel() : undefined;
  const proxy = tunnel ? [`--proxy=${tunnel.url}`, "--ignore-tls-errors"] : [];
  const xvfb = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x900x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const display = await readDisplay(xvfb);
  const port = String(await freePort());
  const downloads = await mkdtemp(join(tmpdir(), "farwatch-webkit-"));
  const driverProcess = spawn("WebKitWebDriver", [`--port=${port}`], {
    stdio: "ignore",
    // MiniBrowser saves downloads in the home folder.
    env: { ...process.env, HOME: downloads, DISPLAY: `:${display}`, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" },
  });
  const [binary] = globSync("/usr/lib/*/webkit2gtk-4.*/MiniBrowser");
  const driver = await new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities(
      new Capabilities({
        browserName: "MiniBrowser",
        acceptInsecureCerts: isOnTestHosts,
        "webkitgtk:browserOptions": { binary, args: ["--automation", ...proxy] },
      }),
    )
    .build();
  await driver.manage().setTimeouts({ implicit: APPEARS_MS });
  const find = async (selector: string): Promise<WebElement> => {
    const found = driver.findElement(selector.startsWith("//") ? By.xpath(selector) : By.css(selector));
    // Retries, because the driver doesn't wait for the next page.
    return found.catch((reason) => (String(reason).includes("unload event") ? find(selector) : Promise.reject(reason)));
  };
  return {
    open: (url) => driver.get(url),
    async type(selector, text) {
      const element = await find(selector);
      // Two calls, because Control stays pressed until a call ends.
      await element.sendKeys(Key.CONTROL, "a");
      await element.sendKeys(text);
    },
    async click(selector) {
      const element = await find(selector);
      // During smooth scrolling, the driver would click the element's old position.
      await driver.executeScript("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", element);
      await element.click();
    },
    evaluate: async (expression) => String(await driver.executeScript(`return (${expression})`)),
    async textInFrame(selector) {
      await driver.switchTo().frame(await find(selector));
      const text = await (await find("body")).getText();
      await driver.switchTo().defaultContent();
      return text;
    },
    downloads,
    async close() {
      await driver.quit();
      for (const child of [driverProcess, xvfb]) {
        child.kill();
        await once(child, "exit");
      }
      tunnel?.stop();
      await rm(downloads, { recursive: true });
    },
  };
}

/** With `-displayfd 3`, Xvfb writes its display number to file descriptor 3. */
async function readDisplay(child: ChildProcess): Promise<string> {
  const pipe = child.stdio[3];
  if (!pipe || !("read" in pipe)) throw new Error("Xvfb has no pipe");
  const [line] = await once(createInterface(pipe), "line");
  return String(line);
}
