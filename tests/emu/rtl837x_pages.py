# SPDX-License-Identifier: MIT
"""rtl837x_pages.py - the HTML of an emulated RTL837x switch, with the real pages' faults.

Each function takes a Device and returns one page.  Unclosed option and select tags, unquoted attributes and the misspelt
title are the firmware's, and what a reader of these pages must cope with.
"""
import rtl837x_device as dev

MAC_ROWS = 64
HEAD = """<html>

<head>
<title>%s</title>
<link rel="stylesheet" type="text/css" href="/style.css">
</head>

<body>
<center>

<fieldset>
<legend>%s</legend>
"""
TAIL = """</fieldset>
</center>
</body>
</html>
"""
MD5_JS = "/* md5 of a string, as lower-case hex */\nfunction hex_md5(s) { return md5_core(s); }\n"
CHINESE = (("Link Up", "\u8fde\u63a5"), ("Link Down", "\u65ad\u5f00"), ("Enable", "\u542f\u7528"), ("Disable", "\u7981\u7528"),
           (">Trunk", ">\u805a\u5408\u7ec4"), (">Port ", ">\u7aef\u53e3 "), ("static", "\u9759\u6001"))


def page(title, body, legend=None):
    return HEAD % (title, legend or title) + body + TAIL


def redirect(_d):
    return ("<html>\n<head><title>%s</title></head>\n<script>\nwindow.top.location.replace(\"/login.cgi\");\n</script>\n</html>\n"
            % dev.MODEL)


def after_login(_d):
    return "<html>\n<head><title>Login</title></head>\n<script>\nwindow.top.location.replace(\"/\");\n</script>\n</html>\n"


def login(_d):
    return """<html>
<head><title>%s</title>
<script type="text/javascript" src="/md5.js"></script>
<script>
function check() {
	var f = document.login;
	var m = hex_md5(f.username.value + f.password.value);
	f.Response.value = m;
	document.cookie = "admin=" + m;
}
</script></head>
<body>
<form method="post" name="login" action="login.cgi" onsubmit="check()">
<input type="text" name="username" maxlength=16>
<input type="password" name="password" maxlength=16>
<select name="language"><option value="EN" selected>English<option value="CN">Chinese</select>
<input type="hidden" name="Response" value="">
<input type="submit" value="Login">
</form>
</body>
</html>
""" % dev.MODEL


def index(_d):
    return ("<html>\n<head><title>%s</title></head>\n<frameset cols=\"180,*\">\n<frame src=\"/menu.cgi\" name=\"menu\">\n"
            "<frame src=\"/info.cgi\" name=\"main\">\n</frameset>\n</html>\n" % dev.MODEL)


def alert(text):
    return """<html>
<head><title>Message</title></head>
<script>
window.location.replace("/goback.cgi");
window.open("/alert.cgi?alertmsg=Error: %s", "", "width=400,height=200");
</script>
</html>
""" % text


def message(title, text):
    return page(title, "<p>%s</p>\n" % text)


def info(d):
    c = d.running
    rows = (("Device Model", dev.MODEL), ("MAC Address", d.mac), ("IP Address", c["address"]), ("Netmask", c["netmask"]),
            ("Gateway", c["gateway"]), ("Firmware Version", dev.FIRMWARE), ("Firmware Date", dev.FIRMWARE_DATE),
            ("Hardware Version", dev.HARDWARE))
    cells = "".join("  <tr>\n    <th style=\"width:150px;\">%s</th>\n    <td style=\"width:250px;\">%s</td>\n  </tr>\n" % r for r in rows)
    return page("System Information", "<table>\n" + cells + "</table>\n", "System Info")


def speed_text(up, mbps):
    return "Link Down" if not up else "10GFull" if mbps == 10000 else "%dFull" % mbps


def port_form(d, copper):
    def mine(members):
        return (members[0] <= dev.COPPER) == copper
    rows = [(value, name) for name, value, members in d.logical_ports() if mine(members)]
    text = """<form method="post" action="port.cgi">
	<table border="1">
	<tr>
		<th class=MidSize>Port</th>
		<th>State</th>
		<th>Speed/Duplex</th>
		<th>Flow Control</th>
	</tr>
	<tr>
		<td align="center">
			<select name="portid" multiple size="%d" >
""" % len(rows)
    text += "".join("\t\t\t<option value=\"%d\">%s\n" % r for r in rows)
    text += "\t\t</td>\n\t\t<td align=\"center\">\n\t\t\t<select name=\"state\" class=MidSize>\n"
    text += "\t\t\t<option value=\"1\">Enable\n\t\t\t<option value=\"0\">Disable\n\t\t\t</select>\n\t\t</td>\n"
    text += "\t\t<td align=\"center\">\n\t\t\t<select name=\"speed_duplex\" class=MidSize>\n"
    for value in dev.COPPER_SPEEDS if copper else dev.FIBRE_SPEEDS:
        text += "\t\t\t<option value=\"%d\">%s\n" % (value, dev.SPEED_DUPLEX[value][0])
    return text + """			</select>
		</td>
		<td align="center">
			<select name="flow" class=MidSize>
			<option value="0">Off
			<option value="1">On
			</select>
		</td>
	</tr>
	</table>
<br style="line-height:50%">
<input type="submit" name="submit" value="   Apply   ">
<input type="hidden" name="cmd" value="port">
</form>
<hr>
"""


def port(d):
    text = port_form(d, True) + port_form(d, False) + """<br>
<table border="1">
  <tr>
    <th rowspan="2" width="90">Port</th>
    <th rowspan="2" width="90">State</th>
    <th colspan="2">Speed/Duplex</th>
    <th colspan="2">Flow Control</th>
  </tr>
  <tr>
    <th width="90">Config</th>
    <th width="90">Actual</th>
    <th width="90">Config</th>
    <th width="90">Actual</th>
  </tr>
"""
    for name, _, members in d.logical_ports():
        shown = d.shown_port(members)
        s = d.running["ports"][shown - 1]
        cells = (name, "Enable" if s["enabled"] else "Disable", dev.SPEED_DUPLEX[s["speed_duplex"]][0],
                 speed_text(*d.backend.link(shown)), "On" if s["flow"] else "Off",
                 "On" if s["flow"] and d.backend.link(shown)[0] else "Off")
        text += "  <tr>\n" + "".join("    <td>%s</td>\n" % c for c in cells) + "  </tr>\n"
    return page("Port Setting", text + "</table>\n<br>\n")


def stats(d):
    text = """<form method="post" action="/port.cgi?page=stats">
<table>
	<tr>
		<th style="width:80px;">Port</th>
		<th style="width:80px;">State</th>
		<th style="width:80px;">Link Status</th>
		<th style="width:100px;">TxGoodPkt</th>
		<th style="width:100px;">TxBadPkt</th>
		<th style="width:100px;">RxGoodPkt</th>
		<th style="width:100px;">RxBadPkt</th>
	</tr>
"""
    for name, _, members in d.logical_ports():
        shown, n = d.shown_port(members), d.counters(members)
        cells = (name, "Enable" if d.running["ports"][shown - 1]["enabled"] else "Disable",
                 "Link Up" if d.backend.link(shown)[0] else "Link Down", n["tx_good"], n["tx_bad"], n["rx_good"], n["rx_bad"])
        text += "\t<tr>\n" + "".join("\t\t<td>%s</td>\n" % c for c in cells) + "\t</tr>\n"
    text += """</table>
<br style="line-height:50%">
<input type="submit" name="submit" value="   Clear   ">
<input type="hidden" name="cmd" value="stats">
</form>
"""
    return page("Port Stistics", text, "Port Statistics")


def panel(d):
    images = ""
    for p in range(1, dev.PORTS + 1):
        up = d.backend.link(p)[0]
        name = "RJ45_up_%d" % up if p <= dev.COPPER else "Fiber_up_0" if up else "Fiber_down_0"
        images += "<td><img src=\"/%s.png\"></td>\n" % name
    return ("<html>\n<head>\n<meta http-equiv=refresh content=10>\n<link rel=\"stylesheet\" type=\"text/css\" href=\"/style.css\">\n"
            "</head>\n<body>\n<table><tr>\n" + images + "</tr></table>\n</body>\n</html>\n")


def port_list(ports):
    """1-2, 2,6, 1-3,5"""
    runs = []
    for p in sorted(ports):
        if runs and runs[-1][1] == p - 1:
            runs[-1][1] = p
        else:
            runs.append([p, p])
    return ",".join("%d" % a if a == b else "%d-%d" % (a, b) for a, b in runs)


def trunk(d):
    text = """<form method="post" action="/trunk.cgi?page=group">
<table>
	<tr>
		<th>Group ID</th>
		<th>Type</th>
		<th>Port</th>
	</tr>
	<tr>
		<td >
			<select name="id" >
			<option value="1" selected id=trunk_sel1>Trunk1
			<option value="2" id=trunk_sel2>Trunk2
			</select>
		</td>
		<td >
			<select name="trunk_type" >
			<option value="0">static
			<option value="1">LACP
			</select>
		</td>
		<td>
			<select name="ports" multiple size="%d" id=portsel>
""" % dev.PORTS
    text += "".join("\t\t\t<option value=%d>Port %d\n" % (p - 1, p) for p in range(1, dev.PORTS + 1))
    text += """			</select>
		</td>
	</tr>
</table>
<br style="line-height:50%">
<input type="submit" value="Add / Modify">
<input type="hidden" name="cmd" value="trunk">
</form>
<hr>
<form method="post" action="/trunk.cgi?page=group_remove">
<table>
	<tr>
		<th style="width:80px;">Group ID</th>
		<th style="width:80px;">Type</th>
		<th style="width:150px;">Member port</th>
		<th style="width:150px;">Aggregated Port</th>
		<th style="width:80px;">Select</th>
	</tr>
"""
    for row, (g, group) in enumerate(sorted(d.running["groups"].items())):
        text += ("\t<tr>\n\t\t<td >Trunk%s</td>\n\t\t<td >%s</td>\n\t\t<td>%s</td>\n\t\t<td>%s</td>\n"
                 "\t\t<td><input type=\"checkbox\" name=\"remove_%d\" id=trunk_%d></td>\n\t</tr>\n"
                 % (g, "LACP" if group["lacp"] else "static", port_list(group["ports"]), port_list(d.aggregated(int(g))),
                    int(g) - 1, row))
    text += """  </table>
<br style="line-height:50%">
<input type="submit" name="Remove" value="    Delete    ">
<input type="button" value=" Select All " onclick="trunk_selAll(1)">
<input type="hidden" name="cmd" value="group_remove">
</form>
"""
    return page("Trunking Information", text, "Trunk Group Setting")


def jumbo(d):
    options = "".join("          <option value=\"%d\"%s>%d\n" % (i, " selected" if i == d.running["jumbo"] else "", size)
                      for i, size in enumerate(dev.JUMBO))
    return page("Jumbo Frame Setting", """<form method="post" name="jumboframe" action="/fwd.cgi?page=jumboframe">
<table border="1">
  <tr>
    <th width="200">Jumbo Frame (Bytes)</th>
      <td>
        <select name="jumboframe">
%s        </select>
      </td>
  </tr>
</table>
  <input type="submit" value="   Apply   ">
  <input type="hidden" name="cmd" value="jumboframe">
</form>
""" % options)


def mac_table(d):
    table = d.backend.mac_table()
    rows = table[d.cursor:d.cursor + MAC_ROWS]
    last = d.cursor + MAC_ROWS >= len(table)
    text = """<form method="post" name = "fwd_tbl" action="/mac.cgi?page=fwd_tbl">
<table>
	<tr>
		<th>No.</th>
		<th>MAC Address</th>
		<th>VLAN ID</th>
		<th>Type</th>
		<th>Port</th>
	</tr>
"""
    for number, (mac, vlan, kind, where) in enumerate(rows, 1):
        text += "<tr>\n" + "".join("\t<td >%s</td>\n" % c for c in (number, mac.upper(), vlan, kind, where)) + "</tr>\n"
    text += """</table>
<input type="button" value="Clear" id=clr  onclick="btnClick(this.id)">
<input type="button" value="Next Page" id=next %sonclick="btnClick(this.id)">
<input type="hidden" id=cmd name="cmd" value="mactblclr">
</form>
""" % ("disabled " if last else "")
    return page("Forwarding Table", text)


def button(title, action, cmd):
    return page(title, "<form method=\"post\" action=\"/%s\">\n<input type=\"submit\" value=\"   Apply   \">\n"
                       "<input type=\"hidden\" name=\"cmd\" value=\"%s\">\n</form>\n" % (action, cmd))
