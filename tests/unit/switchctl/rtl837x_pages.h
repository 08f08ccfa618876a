/* SPDX-License-Identifier: MIT */
/* rtl837x_pages.h - pages of a 4+2 port RTL837x switch, written from the description of the device, with its markup's
 * faults: option tags and a select that are never closed, values without quotes, a misspelt title. */
#ifndef RTL837X_PAGES_H
#define RTL837X_PAGES_H

#define HEAD(title)                                                                                \
    "<html>\n\n<head>\n<title>" title "</title>\n<link rel=\"stylesheet\" type=\"text/css\" "      \
    "href=\"/style.css\">\n</head>\n\n<body>\n<center>\n\n<fieldset>\n<legend>x</legend>\n"
#define TAIL "</fieldset>\n</center>\n</body>\n</html>\n"

static const char first_page[] =
    "<html>\n<head><title>SKS3200M-4GPY2XF</title></head>\n<script>\n"
    "window.top.location.replace(\"/login.cgi\");\n</script>\n</html>\n";

#define INFO_ROW(a, b)                                                                             \
    "  <tr>\n    <th style=\"width:150px;\">" a "</th>\n    <td style=\"width:250px;\">" b         \
    "</td>\n  </tr>\n"
#define INFO(firmware)                                                                             \
    HEAD("System Information")                                                                     \
    "<table>\n" INFO_ROW("Device Model", "SKS3200M-4GPY2XF")                                       \
        INFO_ROW("MAC Address", "02:00:5E:00:00:01") INFO_ROW("IP Address", "192.0.2.10")          \
            INFO_ROW("Netmask", "255.255.255.0") INFO_ROW("Gateway", "192.0.2.1")                  \
                INFO_ROW("Firmware Version", firmware) INFO_ROW("Firmware Date", "Jan 03 2024")    \
                    INFO_ROW("Hardware Version", "V1.0") "</table>\n" TAIL
static const char info_page[] = INFO("V1.9");

#define TRUNK_FORM(type)                                                                           \
    "<form method=\"post\" action=\"/trunk.cgi?page=group\">\n<table>\n\t<tr>\n\t\t<th>Group "     \
    "ID</th>\n" type                                                                               \
    "\t\t<th>Port</th>\n\t</tr>\n\t<tr>\n\t\t<td >\n\t\t\t<select name=\"id\" >\n"                 \
    "\t\t\t<option value=\"1\" selected id=trunk_sel1>Trunk1\n\t\t\t<option value=\"2\" "          \
    "id=trunk_sel2>Trunk2\n\t\t\t</select>\n\t\t</td>\n"                                           \
    "\t\t<td>\n\t\t\t<select name=\"ports\" multiple size=\"6\" id=portsel>\n"                     \
    "\t\t\t<option value=0>Port 1\n\t\t\t<option value=1>Port 2\n\t\t\t<option value=2>Port 3\n"   \
    "\t\t\t<option value=3>Port 4\n\t\t\t<option value=4>Port 5\n\t\t\t<option value=5>Port 6\n"   \
    "\t\t\t</select>\n\t\t</td>\n\t</tr>\n</table>\n<br style=\"line-height:50%\">\n<input "       \
    "type=\"submit\" value=\"Add / Modify\">\n"                                                    \
    "<input type=\"hidden\" name=\"cmd\" value=\"trunk\">\n</form>\n<hr>\n"
#define TRUNK_HEAD(type)                                                                           \
    "<form method=\"post\" action=\"/trunk.cgi?page=group_remove\">\n<table>\n\t<tr>\n\t\t<th "    \
    "style=\"width:80px;\">Group ID</th>\n" type                                                   \
    "\t\t<th style=\"width:150px;\">Member port</th>\n\t\t<th style=\"width:150px;\">Aggregated "  \
    "Port</th>\n\t\t<th style=\"width:80px;\">Select</th>\n\t</tr>\n"
#define TRUNK_TYPE "\t\t<th style=\"width:80px;\">Type</th>\n"
#define TRUNK_END                                                                                  \
    "  </table>\n<input type=\"submit\" name=\"Remove\" value=\"    Delete    \">\n<input "        \
    "type=\"hidden\" name=\"cmd\" value=\"group_remove\">\n</form>\n"
#define TRUNK_ROW(name, type, members, up)                                                         \
    "\t<tr>\n\t\t<td >" name "</td>\n\t\t<td >" type "</td>\n\t\t<td>" members                     \
    "</td>\n\t\t<td>" up                                                                           \
    "</td>\n\t\t<td><input type=\"checkbox\" name=\"remove_0\" id=trunk_0></td>\n\t</tr>\n"
#define TRUNK(rows)                                                                                \
    HEAD("Trunking Information")                                                                   \
    TRUNK_FORM("\t\t<th>Type</th>\n") TRUNK_HEAD(TRUNK_TYPE) rows TRUNK_END TAIL
static const char trunk_page[] = TRUNK(TRUNK_ROW("Trunk1", "LACP", "1-2", "1-2")
                                           TRUNK_ROW("Trunk2", "static", "3,5-6", "3,5-6"));
/* V1.7 has no column Type. */
static const char trunk_page_v17[] = HEAD("Trunking Information") TRUNK_FORM("") TRUNK_HEAD(
    "") "\t<tr>\n\t\t<td >Trunk2</td>\n\t\t<td>2,6</td>\n\t\t<td>2,6</td>\n\t\t<td><input "
        "type=\"checkbox\" name=\"remove_1\" id=trunk_0></td>\n\t</tr>\n" TRUNK_END TAIL;

static const char panel_page[] =
    "<html>\n<head>\n<meta http-equiv=refresh content=10>\n</head>\n<body>\n<table><tr>\n"
    "<td><img src=\"/RJ45_up_1.png\"></td>\n<td><img src=\"/RJ45_up_0.png\"></td>\n<td><img "
    "src=\"/RJ45_up_0.png\"></td>\n"
    "<td><img src=\"/loop_rldp_RJ45_.png\"></td>\n<td><img src=\"/Fiber_up_0.png\"></td>\n<td><img "
    "src=\"/Fiber_down_0.png\"></td>\n"
    "</tr></table>\n</body>\n</html>\n";

#define PORT_FORM                                                                                  \
    "<form method=\"post\" action=\"port.cgi\">\n\t<table border=\"1\">\n\t<tr>\n\t\t<th "         \
    "class=MidSize>Port</th>\n\t\t<th>State</th>\n"                                                \
    "\t\t<th>Speed/Duplex</th>\n\t\t<th>Flow Control</th>\n\t</tr>\n\t<tr>\n\t\t<td "              \
    "align=\"center\">\n\t\t\t<select name=\"portid\" multiple size=\"4\" >\n"                     \
    "\t\t\t<option value=\"2\">Port 3\n\t\t\t<option value=\"3\">Port 4\n\t\t</td>\n\t\t<td "      \
    "align=\"center\">\n\t\t\t<select name=\"state\" class=MidSize>\n"                             \
    "\t\t\t<option value=\"1\">Enable\n\t\t\t<option "                                             \
    "value=\"0\">Disable\n\t\t\t</select>\n\t\t</td>\n\t</tr>\n\t</table>\n"                       \
    "<input type=\"submit\" name=\"submit\" value=\"   Apply   \">\n<input type=\"hidden\" "       \
    "name=\"cmd\" value=\"port\">\n</form>\n<hr>\n"
#define PORT_ROW(name, state, actual)                                                              \
    "  <tr>\n    <td>" name "</td>\n    <td>" state "</td>\n    <td>Auto</td>\n    <td>" actual    \
    "</td>\n    <td>Off</td>\n    <td>Off</td>\n  </tr>\n"
static const char port_page[] = HEAD("Port Setting") PORT_FORM PORT_FORM
    "<br>\n<table border=\"1\">\n  <tr>\n    <th rowspan=\"2\" width=\"90\">Port</th>\n    <th "
    "rowspan=\"2\">State</th>\n    <th colspan=\"2\">Speed/Duplex</th>\n"
    "    <th colspan=\"2\">Flow Control</th>\n  </tr>\n  <tr>\n    <th>Config</th>\n    "
    "<th>Actual</th>\n    <th>Config</th>\n    <th>Actual</th>\n  </tr>\n" PORT_ROW(
        "Port 1", "Enable", "2500Full") PORT_ROW("Port 2", "Enable", "Link Down")
        PORT_ROW("Port 3", "Disable", "Link Down") PORT_ROW("Port 4", "Enable", "100Half")
            PORT_ROW("Port 5", "Enable", "10GFull")
                PORT_ROW("Trunk1", "Enable", "1000Full") "</table>\n<br>\n" TAIL;

#define STATS_ROW(name, link, tx, txbad, rx, rxbad)                                                \
    "\t<tr>\n\t\t<td>" name "</td>\n\t\t<td>Enable</td>\n\t\t<td>" link "</td>\n\t\t<td>" tx       \
    "</td>\n\t\t<td>" txbad "</td>\n\t\t<td>" rx "</td>\n\t\t<td>" rxbad "</td>\n\t</tr>\n"
#define STATS(rows)                                                                                \
    HEAD("Port Stistics")                                                                          \
    "<form method=\"post\" action=\"/port.cgi?page=stats\">\n<table>\n\t<tr>\n\t\t<th "            \
    "style=\"width:80px;\">Port</th>\n\t\t<th>State</th>\n\t\t<th>Link Status</th>\n"              \
    "\t\t<th>TxGoodPkt</th>\n\t\t<th>TxBadPkt</th>\n\t\t<th>RxGoodPkt</th>\n\t\t<th>RxBadPkt</"    \
    "th>\n\t</tr>\n" rows                                                                          \
    "</table>\n<input type=\"submit\" name=\"submit\" value=\"   Clear   \">\n<input "             \
    "type=\"hidden\" name=\"cmd\" value=\"stats\">\n</form>\n" TAIL
static const char stats_page[] =
    STATS(STATS_ROW("Port 1", "Link Up", "1200", "1", "4294967295", "2")
              STATS_ROW("Port 2", "Link Down", "0", "0", "0", "0")
                  STATS_ROW("Trunk1", "Link Up", "99", "9", "99", "9"));
static const char stats_page_g2[] = STATS(STATS_ROW("Port 1", "Link Up", "1-5", "0", "0-3400", "7")
                                              STATS_ROW("Port 2", "Link Up", "x", "0", "1-", "0"));

#define JUMBO(options)                                                                             \
    HEAD("Jumbo Frame Setting")                                                                    \
    "<form method=\"post\" name=\"jumboframe\" action=\"/fwd.cgi?page=jumboframe\">\n<table "      \
    "border=\"1\">\n  <tr>\n    <th width=\"200\">Jumbo Frame (Bytes)</th>\n"                      \
    "      <td>\n        <select name=\"jumboframe\">\n" options                                   \
    "        </select>\n      </td>\n  </tr>\n</table>\n  <input type=\"hidden\" name=\"cmd\" "    \
    "value=\"jumboframe\">\n</form>\n" TAIL
#define OPTION(v, sel, text) "          <option value=\"" v "\"" sel ">" text "\n"
static const char jumbo_page[] = JUMBO(OPTION("0", "", "1522") OPTION("1", "", "1536") OPTION(
    "2", "", "1552") OPTION("3", " selected", "9216") OPTION("4", "", "16383"));

#define MAC_ROW(n, mac, vlan, type, port)                                                          \
    "<tr>\n\t<td >" n "</td>\n\t<td >" mac "</td>\n\t<td >" vlan "</td>\n\t<td >" type             \
    "</td>\n\t<td >" port "</td>\n</tr>\n"
#define MACS(rows, next)                                                                           \
    HEAD("Forwarding Table")                                                                       \
    "<form method=\"post\" name = \"fwd_tbl\" "                                                    \
    "action=\"/mac.cgi?page=fwd_tbl\">\n<table>\n\t<tr>\n\t\t<th>No.</th>\n\t\t<th>MAC "           \
    "Address</th>\n\t\t<th>VLAN ID</th>\n"                                                         \
    "\t\t<th>Type</th>\n\t\t<th>Port</th>\n\t</tr>\n" rows                                         \
    "</table>\n<input type=\"button\" value=\"Clear\" id=clr  onclick=\"btnClick(this.id)\">\n"    \
    "<input type=\"button\" value=\"Next Page\" id=next " next                                     \
    "onclick=\"btnClick(this.id)\">\n<input type=\"hidden\" id=cmd name=\"cmd\" "                  \
    "value=\"mactblclr\">\n</form>\n" TAIL
static const char mac_page[] = MACS(MAC_ROW("1", "02:00:5E:00:00:10", "1", "dynamic", "3")
                                        MAC_ROW("2", "02:00:5E:00:00:11", "20", "dynamic", "Trunk1")
                                            MAC_ROW("3", "02:00:5E:00:00:12", "1", "static", "6"),
                                    "disabled ");

static const char alert_page[] = "<html>\n<head><title>Message</title></"
                                 "head>\n<script>\nwindow.location.replace(\"/goback.cgi\");\n"
                                 "window.open(\"/alert.cgi?alertmsg=Error: 2 trunk member ports at "
                                 "least\", \"\", \"width=400\");\n</script>\n</html>\n";

#endif
