// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The calls of rtnetlink(7) that Swift's C library overlay lacks. The answers are parsed in Swift.
// Each returns -errno on failure.

#ifndef C_SIMORGH_NETLINK_H
#define C_SIMORGH_NETLINK_H

#if defined(__linux__)

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
// Before the Linux headers, which would otherwise declare half of it again.
#include <net/if.h>
#include <netinet/in.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

/// Opens a routing socket to the kernel: for events, which never blocks, or for queries, which waits up to one second.
static inline int simorgh_netlink_open(int listens) {
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | (listens ? SOCK_NONBLOCK : 0), NETLINK_ROUTE);
    if (fd < 0) return -errno;
    struct sockaddr_nl address;
    memset(&address, 0, sizeof address);
    address.nl_family = AF_NETLINK;
    if (listens) {
        address.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE
            | RTMGRP_IPV6_ROUTE | (1u << (RTNLGRP_IPV4_RULE - 1)) | (1u << (RTNLGRP_IPV6_RULE - 1));
    }
    struct timeval limit = {1, 0};
    // Without the timeout a query that the kernel does not answer would block forever.
    if ((!listens && setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) < 0)
        || bind(fd, (struct sockaddr *)&address, sizeof address) < 0) {
        int error = errno;
        close(fd);
        return -error;
    }
    // If a nexthop object is deleted, its routes disappear without an event. Kernels before 5.3 have no nexthop
    // objects.
    int group = 32; // RTNLGRP_NEXTHOP, which older headers lack
    if (listens) (void)setsockopt(fd, 270, NETLINK_ADD_MEMBERSHIP, &group, sizeof group); // 270: SOL_NETLINK
    return fd;
}

static inline int simorgh_netlink_send(int fd, const void *message, size_t length) {
    struct sockaddr_nl kernel;
    memset(&kernel, 0, sizeof kernel);
    kernel.nl_family = AF_NETLINK;
    ssize_t sent;
    do {
        sent = sendto(fd, message, length, 0, (struct sockaddr *)&kernel, sizeof kernel);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : 0;
}

/// Queries all links, addresses or routes (RTM_GETLINK, RTM_GETADDR, RTM_GETROUTE), without their statistics.
static inline int simorgh_netlink_dump(int fd, uint16_t type, uint8_t family, uint32_t sequence) {
    struct {
        struct nlmsghdr header;
        union {
            struct ifinfomsg link;
            struct ifaddrmsg address;
            struct rtmsg route;
        } body;
        struct rtattr attribute;
        uint32_t mask;
    } request;
    memset(&request, 0, sizeof request);
    request.header.nlmsg_type = type;
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request.header.nlmsg_seq = sequence;
    size_t length = NLMSG_LENGTH(sizeof request.body.link);
    if (type == RTM_GETLINK) {
        request.body.link.ifi_family = family;
        request.attribute.rta_type = IFLA_EXT_MASK;
        request.attribute.rta_len = RTA_LENGTH(sizeof request.mask);
        request.mask = RTEXT_FILTER_SKIP_STATS;
        length += RTA_LENGTH(sizeof request.mask);
    } else if (type == RTM_GETADDR) {
        request.body.address.ifa_family = family;
        length = NLMSG_LENGTH(sizeof request.body.address);
    } else {
        request.body.route.rtm_family = family;
        length = NLMSG_LENGTH(sizeof request.body.route);
    }
    request.header.nlmsg_len = (uint32_t)length;
    return simorgh_netlink_send(fd, &request, length);
}

/// Queries one link by its index.
static inline int simorgh_netlink_link(int fd, int32_t index, uint32_t sequence) {
    struct {
        struct nlmsghdr header;
        struct ifinfomsg link;
    } request;
    memset(&request, 0, sizeof request);
    request.header.nlmsg_type = RTM_GETLINK;
    request.header.nlmsg_flags = NLM_F_REQUEST;
    request.header.nlmsg_seq = sequence;
    request.header.nlmsg_len = (uint32_t)NLMSG_LENGTH(sizeof request.link);
    request.link.ifi_index = index;
    return simorgh_netlink_send(fd, &request, request.header.nlmsg_len);
}

/// Queries the route of a packet to an address, or with a link's index, the route to it through that link. No packet is
/// sent.
static inline int simorgh_netlink_route(
    int fd, uint8_t family, const uint8_t *destination, int32_t link, uint32_t sequence) {
    struct {
        struct nlmsghdr header;
        struct rtmsg route;
        uint8_t attributes[32];
    } request;
    memset(&request, 0, sizeof request);
    const uint8_t size = family == AF_INET ? 4 : 16;
    request.header.nlmsg_type = RTM_GETROUTE;
    request.header.nlmsg_flags = NLM_F_REQUEST;
    request.header.nlmsg_seq = sequence;
    request.route.rtm_family = family;
    request.route.rtm_dst_len = (uint8_t)(size * 8);
    struct rtattr attribute = {(unsigned short)RTA_LENGTH(size), RTA_DST};
    memcpy(request.attributes, &attribute, sizeof attribute);
    memcpy(request.attributes + sizeof attribute, destination, size);
    size_t length = RTA_LENGTH(size);
    if (link > 0) {
        // The matching route itself: the kernel would allow a packet through any given link, as if the host were a
        // neighbor.
        request.route.rtm_flags = 0x2000; // RTM_F_FIB_MATCH
        attribute.rta_len = (unsigned short)RTA_LENGTH(sizeof link);
        attribute.rta_type = RTA_OIF;
        memcpy(request.attributes + length, &attribute, sizeof attribute);
        memcpy(request.attributes + length + sizeof attribute, &link, sizeof link);
        length += RTA_LENGTH(sizeof link);
    }
    request.header.nlmsg_len = (uint32_t)(NLMSG_LENGTH(sizeof request.route) + length);
    return simorgh_netlink_send(fd, &request, request.header.nlmsg_len);
}

/// Receives one datagram of the kernel.
///
/// Returns its length, which is larger than `size` if it did not fit; 0 for a datagram from another sender.
static inline int simorgh_netlink_receive(int fd, uint8_t *buffer, size_t size) {
    struct sockaddr_nl sender;
    struct iovec part = {buffer, size};
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_name = &sender;
    message.msg_namelen = sizeof sender;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    ssize_t length;
    // Each try has the socket's full timeout, so a thread that is interrupted repeatedly gives up.
    int tries = 0;
    do {
        length = recvmsg(fd, &message, MSG_TRUNC);
    } while (length < 0 && errno == EINTR && ++tries < 16);
    if (length < 0) return -errno;
    return message.msg_namelen == sizeof sender && sender.nl_pid == 0 ? (int)length : 0;
}

/// Queries a device if rtnetlink is forbidden: its flags and index, and one IPv4 address, which is zero if it has none.
static inline int simorgh_device(const char *name, uint32_t *flags, int32_t *index, uint8_t address[4]) {
    struct ifreq request;
    memset(&request, 0, sizeof request);
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    int result = 0;
    if (ioctl(fd, SIOCGIFFLAGS, &request) < 0) result = -errno;
    *flags = (uint16_t)request.ifr_flags;
    if (result == 0 && ioctl(fd, SIOCGIFINDEX, &request) < 0) result = -errno;
    *index = request.ifr_ifindex;
    memset(address, 0, 4);
    if (result == 0 && ioctl(fd, SIOCGIFADDR, &request) == 0) {
        struct sockaddr_in found;
        memcpy(&found, &request.ifr_addr, sizeof found);
        memcpy(address, &found.sin_addr, 4);
    }
    close(fd);
    return result;
}

/// Queries the source address of packets to an address if rtnetlink is forbidden, by connecting a socket that sends
/// nothing.
///
/// `destination` and `source` have 4 bytes for AF_INET, 16 for AF_INET6.
static inline int simorgh_source(uint8_t family, const uint8_t *destination, uint8_t *source) {
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } address;
    memset(&address, 0, sizeof address);
    address.any.sa_family = family;
    socklen_t length;
    if (family == AF_INET) {
        length = sizeof address.four;
        address.four.sin_port = htons(9); // Discard.
        memcpy(&address.four.sin_addr, destination, 4);
    } else {
        length = sizeof address.six;
        address.six.sin6_port = htons(9);
        memcpy(&address.six.sin6_addr, destination, 16);
    }
    int fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    int result = 0;
    if (connect(fd, &address.any, length) < 0 || getsockname(fd, &address.any, &length) < 0) result = -errno;
    close(fd);
    if (family == AF_INET) {
        memcpy(source, &address.four.sin_addr, 4);
    } else {
        memcpy(source, &address.six.sin6_addr, 16);
    }
    return result;
}

#endif
#endif
